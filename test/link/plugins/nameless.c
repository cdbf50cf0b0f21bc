// A shared object that is no plug-in.
int ironbird_plugging(void);

int ironbird_plugging(void)
{
    return 0;
}

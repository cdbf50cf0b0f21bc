# Pictures of docs/reference/gallery.md that no other page has: the first of a scenario's report, its field from above.
for picture in $(awk '$2 ~ /^gallery_/ { print $2 }' docs/make/gallery.txt); do
    scenario=${picture#gallery_}
    scenario=${scenario%.svg}
    "$program" report "scenarios/$scenario.yaml" -o "$work/$scenario.html" --quiet
    picture "" 1 "$work/$scenario.html" > "docs/img/$picture"
done

// study/sweep/student.h: Student's t distribution: how far the mean of a few differences may be
// from zero by chance.
#ifndef IB_STUDY_SWEEP_STUDENT_H
#define IB_STUDY_SWEEP_STUDENT_H

// The t below which the share p (0.5 .. 1) lies, with `freedom` >= 1 degrees of freedom.
double ib_student_quantile(double p, int freedom);

#endif

#include <math.h>

/*
 * where(x>y, 0.5 >= 0.1 % 1e8, x<y) and (2>1)
 *
 * Returns the value, and writes its derivatives to arrays:
 *     value     the formula
 *     gradient  its derivatives with respect to the inputs, in their order
 *     hessian   its second derivatives, row by row
 *
 * Written by autodiff.
 */
double f(double x, double y, double gradient[2], double hessian[2][2])
{
    gradient[0] = 0.0;
    gradient[1] = 0.0;
    hessian[0][0] = 0.0;
    hessian[0][1] = 0.0;
    hessian[1][0] = hessian[0][1];
    hessian[1][1] = 0.0;
    if (isnan(((x > y ? 1.0 : (x < y ? 1.0 : 0.0)) != 0.0 && 1.0 != 0.0 ? 1.0 : 0.0))) {
        for (int i = 0; i < 2; i++) {
            gradient[i] = ((x > y ? 1.0 : (x < y ? 1.0 : 0.0)) != 0.0 && 1.0 != 0.0 ? 1.0 : 0.0);
            for (int j = 0; j < 2; j++) {
                hessian[i][j] = ((x > y ? 1.0 : (x < y ? 1.0 : 0.0)) != 0.0 && 1.0 != 0.0 ? 1.0 : 0.0);
            }
        }
    }
    return ((x > y ? 1.0 : (x < y ? 1.0 : 0.0)) != 0.0 && 1.0 != 0.0 ? 1.0 : 0.0);
}

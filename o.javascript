/**
 * where(x>y, 0.5 >= 0.1 % 1e8, x<y) and (2>1)
 *
 * Returns an object with
 *     value     the formula
 *     gradient  its derivatives with respect to the inputs, in their order
 *     hessian   its second derivatives, row by row
 *
 * Written by autodiff.
 */
export function f(x, y) {
  const gradient = [
    0,
    0,
  ];
  const hessian = [
    [0, 0],
    [0, 0],
  ];
  if (Number.isNaN(((x > y ? 1 : (x < y ? 1 : 0)) !== 0 && 1 !== 0 ? 1 : 0))) {
    gradient.fill(NaN);
    for (const row of hessian) row.fill(NaN);
  }
  return { value: ((x > y ? 1 : (x < y ? 1 : 0)) !== 0 && 1 !== 0 ? 1 : 0), gradient, hessian };
}

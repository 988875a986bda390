-- where(x>y, 0.5 >= 0.1 % 1e8, x<y) and (2>1)
--
-- Reads "points". The value and its derivatives are the columns `f`, `d_x`, `d_y`.
--
-- Written by autodiff.
WITH step0 AS (
    SELECT
        CAST("x" AS DOUBLE) AS "x",
        CAST("y" AS DOUBLE) AS "y"
    FROM "points"
), step1 AS (
    SELECT
        *,
        CASE WHEN "x" > "y" AND NOT isnan("x") THEN 1e0 ELSE CASE WHEN "x" < "y" AND NOT isnan("y") THEN 1e0 ELSE 0e0 END END AS "t1"
    FROM step0
)
SELECT
    "x",
    "y",
    CASE WHEN "t1" <> 0 AND 1e0 <> 0 THEN 1e0 ELSE 0e0 END AS "f",
    CASE WHEN isnan(CASE WHEN "t1" <> 0 AND 1e0 <> 0 THEN 1e0 ELSE 0e0 END) THEN CAST('NaN' AS DOUBLE) ELSE 0e0 END AS "d_x",
    CASE WHEN isnan(CASE WHEN "t1" <> 0 AND 1e0 <> 0 THEN 1e0 ELSE 0e0 END) THEN CAST('NaN' AS DOUBLE) ELSE 0e0 END AS "d_y"
FROM step1;

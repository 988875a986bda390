"""Values and gradients with a proof: enclosures at a point, with as many digits as wanted, or over a box."""

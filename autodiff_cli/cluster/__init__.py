"""The partitions of a data set, computed one by one: on a cluster of machines, or on this one."""

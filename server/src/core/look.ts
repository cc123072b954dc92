/** As much of a file's beginning, and of its end, as is looked at to tell what it is: whoever has it at hand passes it on. */
export const LOOK = 65_536

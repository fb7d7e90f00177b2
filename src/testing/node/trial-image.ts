/** A small Linux, which every node of these tests has. */
export const image = 'localhost/proa/busybox:1'

/** The status in the log of a request whose client disconnected before the reply. No client receives it. */
export const clientLeft = 499;

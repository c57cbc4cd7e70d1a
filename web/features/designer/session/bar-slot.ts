/** Id of the place at the right of the bar that the mode in use fills with its own actions. */
export const BAR_SLOT = 'designer-bar-slot'

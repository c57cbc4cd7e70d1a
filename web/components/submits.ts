import type { SyntheticEvent } from 'react'

/** Handler of a form: acts instead of loading a page. */
export const submits = (act: () => unknown) => (event: SyntheticEvent) => {
  event.preventDefault()
  void act()
}

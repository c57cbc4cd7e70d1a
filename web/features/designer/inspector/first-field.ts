const FIELDS = 'input:not([type=file]),textarea,select,[contenteditable=true],.pl-list > button'

/** What one types in first in a part of a form, or presses to have something to type in. */
export const firstField = (root: Element): HTMLElement | undefined =>
  root.querySelector<HTMLElement>(FIELDS) ?? root.querySelector<HTMLElement>('button') ?? undefined

/** Focuses what is found two frames from now: editors of shared texts are drawn after what is around them. */
export const focusDrawn = (find: () => HTMLElement | undefined): void => {
  requestAnimationFrame(() => requestAnimationFrame(() => find()?.focus()))
}

/**
 * Runs after the press of a pointer that is under way, else at once: text that appears between press and release moves
 * the pressed button away, and the browser then reports no click.
 */
export const afterPress = (run: () => void): void => {
  if (document.querySelector(':active') === null) {
    run()
    return
  }
  const events = ['pointerup', 'pointercancel'] as const
  const end = () => {
    for (const event of events) window.removeEventListener(event, end)
    setTimeout(run)
  }
  for (const event of events) window.addEventListener(event, end)
}

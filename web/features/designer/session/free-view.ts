/** Narrower than a block with room around it, a gap is no place to show one in. CSS pixels. */
const LEAST = 280

/**
 * Offset of the canvas's center right of the free center: sheets cover the canvas, and the inspector is about to take
 * `opening` from its right. CSS pixels.
 */
export const offCenter = (opening: number): number => {
  const canvas = document.querySelector('.pl-canvas')?.getBoundingClientRect()
  if (canvas === undefined) return 0
  let { left } = canvas
  let right = canvas.right - opening
  for (const sheet of document.querySelectorAll<HTMLElement>('.pl-sheet')) {
    const box = sheet.getBoundingClientRect()
    if (sheet.dataset.side === 'left') left = Math.max(left, box.right)
    else right = Math.min(right, box.left - opening)
  }
  const all = right - left < LEAST
  const middle = all ? (canvas.left + canvas.right - opening) / 2 : (left + right) / 2
  return (canvas.left + canvas.right) / 2 - middle
}

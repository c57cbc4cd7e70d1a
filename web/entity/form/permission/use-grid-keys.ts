const STEPS: Readonly<Record<string, readonly [row: number, column: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

const boxesOf = (row: Element) => [...row.querySelectorAll<HTMLInputElement>('input[data-column]:not(:disabled)')]

/** Arrow keys go from box to box: along the row, and to the same column of the next row that has it. */
export const moveInGrid = (event: React.KeyboardEvent<HTMLElement>): void => {
  const step = STEPS[event.key]
  const at = event.target
  if (step === undefined || !(at instanceof HTMLInputElement) || at.dataset.column === undefined) return
  const row = at.closest('tr')
  if (row === null) return
  event.preventDefault()
  const [down, right] = step
  if (right !== 0) {
    const boxes = boxesOf(row)
    boxes[boxes.indexOf(at) + right]?.focus()
    return
  }
  const rows = [...event.currentTarget.querySelectorAll('tr')]
  for (let next = rows.indexOf(row) + down; next >= 0 && next < rows.length; next += down) {
    const box = boxesOf(rows[next] as Element).find(({ dataset }) => dataset.column === at.dataset.column)
    if (box === undefined) continue
    box.focus()
    return
  }
}

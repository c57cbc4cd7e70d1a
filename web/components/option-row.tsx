import type { ReactNode } from 'react'

interface OptionRowProps {
  /** Id of the list; the row's is that with its place in it. */
  readonly list: string
  readonly index: number
  readonly active: number
  readonly onPoint: (index: number) => void
  readonly onChoose: () => void
  readonly children: ReactNode
}

/** Scrolls only the list, not its containers, whose size may differ. */
const keepInView = (row: HTMLElement | null) => {
  const list = row?.parentElement
  if (row == null || list == null) return
  const { top, bottom } = row.getBoundingClientRect()
  const seen = list.getBoundingClientRect()
  list.scrollTop += Math.min(0, top - seen.top) + Math.max(0, bottom - seen.bottom)
}

/** One of the things to choose among under a text: the text keeps the focus, and its keys move in the list. */
export const OptionRow = ({ list, index, active, onPoint, onChoose, children }: OptionRowProps) => (
  <div
    id={`${list}-${index}`}
    role="option"
    tabIndex={-1}
    aria-selected={index === active}
    className="pl-choice"
    data-active={index === active || undefined}
    ref={index === active ? keepInView : undefined}
    onPointerMove={() => onPoint(index)}
    // Pressed, not clicked: the text would lose the focus first.
    onPointerDown={event => {
      event.preventDefault()
      onChoose()
    }}
  >
    {children}
  </div>
)

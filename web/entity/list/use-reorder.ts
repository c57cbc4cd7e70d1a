import { useRef, useState } from 'react'

/** The items in the order that moving one of them to a place makes. */
const moveItem = (items: readonly string[], item: string, to: number): readonly string[] => {
  const rest = items.filter(one => one !== item)
  return [...rest.slice(0, to), item, ...rest.slice(to)]
}

/** Reorders a list by dragging a grip, or with the up and down keys on it. */
export const useReorder = (items: readonly string[], onChange: (items: readonly string[]) => void) => {
  const list = useRef<HTMLUListElement>(null)
  const [drag, setDrag] = useState<{ readonly item: string; readonly gap: number }>()
  const gapAt = (y: number): number => {
    const rows = [...(list.current?.querySelectorAll('[data-item]') ?? [])]
    const below = rows.findIndex(row => {
      const box = row.getBoundingClientRect()
      return y < box.top + box.height / 2
    })
    return below === -1 ? rows.length : below
  }
  const drop = () => {
    if (drag === undefined) return
    const from = items.indexOf(drag.item)
    const to = drag.gap > from ? drag.gap - 1 : drag.gap
    setDrag(undefined)
    if (to !== from) onChange(moveItem(items, drag.item, to))
  }
  const grip = (item: string) => ({
    onKeyDown: (event: React.KeyboardEvent) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
      const to = items.indexOf(item) + (step ?? 0)
      if (step === undefined || to < 0 || to >= items.length) return
      event.preventDefault()
      onChange(moveItem(items, item, to))
    },
    onPointerDown: (event: React.PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      setDrag({ item, gap: items.indexOf(item) })
    },
    onPointerMove: (event: React.PointerEvent) => {
      if (drag !== undefined) setDrag({ item: drag.item, gap: gapAt(event.clientY) })
    },
    onPointerUp: drop,
    onPointerCancel: () => setDrag(undefined),
  })
  return { list, drag, grip }
}

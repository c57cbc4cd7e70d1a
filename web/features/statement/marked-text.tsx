import { Box, chakra } from '@chakra-ui/react'
import type { MarkedStatement } from '#domain/nlu/project-data.ts'
import { hueOf } from './use-intents.ts'

/** Attribute of a text part: its offset in the plain text. */
const AT = 'data-at'

/** Offset of a DOM point in a line's plain text. */
const placeOf = (node: Node, offset: number): number | undefined => {
  const piece = (node instanceof Element ? node : node.parentElement)?.closest(`[${AT}]`)
  return piece instanceof HTMLElement ? Number(piece.getAttribute(AT)) + offset : undefined
}

/** The part of the line that is selected with pointer or finger. */
export const selectedPart = (line: HTMLElement): readonly [start: number, end: number] | undefined => {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  if (!line.contains(range.startContainer) || !line.contains(range.endContainer)) return undefined
  const start = placeOf(range.startContainer, range.startOffset)
  const end = placeOf(range.endContainer, range.endOffset)
  return start === undefined || end === undefined || start >= end ? undefined : [start, end]
}

interface Props {
  readonly statement: MarkedStatement
  readonly entities: readonly string[]
}

/** A line with its entities tinted, their names underneath. */
export const MarkedText = ({ statement: { text, spans }, entities }: Props) => {
  const pieces: React.ReactNode[] = []
  let at = 0
  const plain = (end: number) => {
    if (end > at)
      pieces.push(
        <span key={`t${at}`} {...{ [AT]: at }}>
          {text.slice(at, end)}
        </span>,
      )
    at = end
  }
  for (const { start, end, entity, value, role } of spans) {
    plain(start)
    pieces.push(
      <chakra.mark
        key={`m${start}`}
        colorPalette={hueOf(entity, entities)}
        display="inline-grid"
        bg="transparent"
        verticalAlign="top"
        justifyItems="start"
      >
        <chakra.span {...{ [AT]: start }} bg="colorPalette.muted" color="colorPalette.fg" borderRadius="sm" px="0.5">
          {text.slice(start, end)}
        </chakra.span>
        <Box
          as="small"
          fontSize="10px"
          lineHeight="1.2"
          fontWeight="semibold"
          color="colorPalette.fg"
          px="0.5"
          userSelect="none"
        >
          {[entity, role, value === undefined ? undefined : `= ${value}`]
            .filter(part => part !== undefined)
            .join(' · ')}
        </Box>
      </chakra.mark>,
    )
    at = end
  }
  plain(text.length)
  return <>{pieces}</>
}

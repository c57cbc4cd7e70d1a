import { Box, Button, HStack, Input } from '@chakra-ui/react'
import { Tag } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withMark, withoutMarks, withText } from '#domain/nlu/edit-statement.ts'
import { type MarkedStatement, parseStatement, printStatement } from '#domain/nlu/project-data.ts'
import { EntityChooser } from './entity-chooser.tsx'
import { MarkedText } from './marked-text.tsx'

interface Props {
  readonly text: string
  /** Entities in the order in which they are offered, and in which they were made. */
  readonly choices: readonly string[]
  readonly entities: readonly string[]
  onSave(text: string): void
  onCancel(): void
}

type Part = readonly [start: number, end: number]

/** The text of a line with its marks, and the part of it that is selected. */
const useMarking = (text: string) => {
  const input = useRef<HTMLInputElement>(null)
  const [statement, setStatement] = useState<MarkedStatement>(() => parseStatement(text))
  const [part, setPart] = useState<Part>()
  const [choosing, setChoosing] = useState(false)
  const isPartMarked = part !== undefined && statement.spans.some(({ start, end }) => start < part[1] && end > part[0])
  const mark = (entity: string | undefined) => {
    if (part === undefined) return
    setStatement(entity === undefined ? withoutMarks(statement, ...part) : withMark(statement, ...part, entity))
    setChoosing(false)
    input.current?.focus()
  }
  return { input, statement, setStatement, part, setPart, choosing, setChoosing, isPartMarked, mark }
}

const Preview = (props: React.ComponentProps<typeof MarkedText>) => (
  <Box aria-hidden="true" pt="1.5" px="3" textStyle="dense" overflowWrap="anywhere">
    <MarkedText {...props} />
  </Box>
)

/** A line while it is edited: plain text in an input, its marks below. Marks survive the editing. */
export const LineEditor = ({ text, choices, entities, onSave, onCancel }: Props) => {
  const { t } = useTranslation('nlu')
  const { input, statement, setStatement, part, setPart, choosing, setChoosing, isPartMarked, mark } = useMarking(text)
  const onKeyDown = (event: React.KeyboardEvent) => {
    const digit = part !== undefined && /^[1-9]$/u.test(event.key) ? choices[Number(event.key) - 1] : undefined
    if (digit !== undefined) mark(digit)
    else if (part !== undefined && event.key.toLowerCase() === 'm' && (event.ctrlKey || event.metaKey))
      setChoosing(true)
    else if (event.key === 'Enter') onSave(printStatement(statement))
    else if (event.key === 'Escape') onCancel()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Box flex="1" minW="0">
      <HStack>
        <Input
          ref={input}
          size="sm"
          autoFocus
          aria-label={t('line.edit')}
          maxLength={2000}
          value={statement.text}
          onChange={event => setStatement(withText(statement, event.target.value))}
          onSelect={({ currentTarget: { selectionStart: from, selectionEnd: to } }) =>
            setPart(from === null || to === null || from === to ? undefined : [from, to])
          }
          onKeyDown={onKeyDown}
          onBlur={event => {
            if (!choosing && !event.relatedTarget?.closest('[data-line-tool]')) onSave(printStatement(statement))
          }}
        />
        <Button
          data-line-tool
          size="xs"
          disabled={part === undefined}
          title={t('mark.keys')}
          onClick={() => setChoosing(true)}
        >
          <Tag size={13} aria-hidden="true" />
          {t('mark.do')}
        </Button>
      </HStack>
      <Preview statement={statement} entities={entities} />
      {choosing && part !== undefined ? (
        <EntityChooser
          anchor={input.current}
          part={statement.text.slice(...part)}
          choices={choices}
          entities={entities}
          isMarked={isPartMarked}
          onChoose={mark}
          onClear={() => mark(undefined)}
          onClose={() => setChoosing(false)}
        />
      ) : null}
    </Box>
  )
}

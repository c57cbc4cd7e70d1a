import { Box, Button, HStack, Input, Text } from '@chakra-ui/react'
import { Copy, PenLine, Shuffle, Tag, Trash2 } from 'lucide-react'
import { memo, type RefObject, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withMark, withoutMarks, withText } from '#domain/nlu/edit-statement.ts'
import { type MarkedStatement, parseStatement, printStatement } from '#domain/nlu/project-data.ts'
import { Chip } from '#web/components/chip.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { EntityChooser } from './entity-chooser.tsx'
import { MarkedText, selectedPart } from './marked-text.tsx'
import type { Problem, Statement } from './use-intents.ts'

interface LineEditorProps {
  readonly text: string
  /** Entities in the order in which they are offered, and in which they were made. */
  readonly choices: readonly string[]
  readonly entities: readonly string[]
  onSave(text: string): void
  onCancel(): void
}

type EditedPart = readonly [start: number, end: number]

/** The text of a line with its marks, and the part of it that is selected. */
const useMarking = (text: string) => {
  const input = useRef<HTMLInputElement>(null)
  const [statement, setStatement] = useState<MarkedStatement>(() => parseStatement(text))
  const [part, setPart] = useState<EditedPart>()
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
const LineEditor = ({ text, choices, entities, onSave, onCancel }: LineEditorProps) => {
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

export interface LineCommands {
  change(line: Statement, text: string): void
  remove(line: Statement): void
  /** To the intent that it looks like. */
  move(line: Statement, to: string): void
  keep(line: Statement): void
}

interface Props extends LineCommands {
  readonly line: Statement
  readonly number: number
  readonly problem: Problem | undefined
  /** Entities in the order in which they are offered, and in which they were made. */
  readonly choices: readonly string[]
  readonly entities: readonly string[]
  readonly canEdit: boolean
  /** The address names it. */
  readonly isNamed: boolean
}

const ProblemRow = ({ line, problem, canEdit, move, keep, remove }: Omit<Props, 'problem'> & { problem: Problem }) => {
  const { t } = useTranslation('nlu')
  if (problem.kind === 'duplicate')
    return (
      <HStack gap="2" mt="1.5" flexWrap="wrap">
        <Chip>
          <Copy size={12} aria-hidden="true" />
          {t('problem.duplicate', { number: problem.of })}
        </Chip>
        {canEdit ? (
          <Button size="xs" variant="ghost" color="accent.fg" onClick={() => remove(line)}>
            {t('problem.remove')}
          </Button>
        ) : null}
      </HStack>
    )
  const { name, score, intent } = problem.with
  return (
    <HStack gap="2" mt="1.5" flexWrap="wrap">
      <Chip tone="warning" maxW="100%" minW="0" flexShrink="1">
        <Shuffle size={12} aria-hidden="true" style={{ flex: 'none' }} />
        <Text as="span" truncate>
          {t(`problem.${problem.kind}`, { name, score })}
        </Text>
      </Chip>
      {canEdit ? (
        <>
          <Button size="xs" variant="ghost" color="accent.fg" onClick={() => move(line, intent)}>
            {t('problem.move')}
          </Button>
          <Button size="xs" variant="ghost" onClick={() => keep(line)}>
            {t('problem.keep')}
          </Button>
        </>
      ) : null}
    </HStack>
  )
}

type Part = readonly [start: number, end: number]

/** The part of a line that is selected with pointer or finger, and the handlers that read it. */
const usePointedPart = (box: RefObject<HTMLElement | null>, canEdit: boolean) => {
  const [part, setPart] = useState<Part>()
  const timer = useRef(0)
  const read = () => setPart(box.current === null ? undefined : selectedPart(box.current))
  const pointing = {
    // The second press of a double click would close the chooser that the first one opens late.
    onPointerDown: () => clearTimeout(timer.current),
    onPointerUp: () => {
      // The selection is there after the event.
      if (canEdit) timer.current = window.setTimeout(read)
    },
  }
  return [part, setPart, pointing] as const
}

/** The text of a line, with marks; a part that is selected is marked. */
const LineText = ({ line, choices, entities, canEdit, change, onEdit }: Props & { onEdit(): void }) => {
  const { t } = useTranslation('nlu')
  const box = useRef<HTMLDivElement>(null)
  const [part, setPart, pointing] = usePointedPart(box, canEdit)
  const statement = parseStatement(line.text)
  const mark = (entity: string | undefined) => {
    if (part === undefined) return
    setPart(undefined)
    getSelection()?.removeAllRanges()
    const marked = entity === undefined ? withoutMarks(statement, ...part) : withMark(statement, ...part, entity)
    change(line, printStatement(marked))
  }
  const isMarked = part !== undefined && statement.spans.some(({ start, end }) => start < part[1] && end > part[0])
  return (
    <>
      <Box
        ref={box}
        role="button"
        tabIndex={0}
        aria-label={t('line.of', { text: statement.text })}
        flex="1"
        minW="0"
        fontSize={{ base: 'md', md: 'sm' }}
        lineHeight="1.6"
        overflowWrap="anywhere"
        userSelect="text"
        cursor={canEdit ? 'text' : 'default'}
        borderRadius="sm"
        focusVisibleRing="outside"
        {...pointing}
        onKeyDown={event => {
          if (canEdit && (event.key === 'Enter' || event.key === 'F2')) {
            event.preventDefault()
            onEdit()
          }
        }}
      >
        <MarkedText statement={statement} entities={entities} />
      </Box>
      {part === undefined ? null : (
        <EntityChooser
          anchor={box.current}
          part={statement.text.slice(...part)}
          choices={choices}
          entities={entities}
          isMarked={isMarked}
          onChoose={mark}
          onClear={() => mark(undefined)}
          onClose={() => setPart(undefined)}
        />
      )}
    </>
  )
}

/** One line of an intent: read, marked and edited in place. */
export const StatementLine = memo((props: Props) => {
  const { line, number, problem, choices, entities, canEdit, isNamed, change, remove } = props
  const { t } = useTranslation('nlu')
  const [editing, setEditing] = useState(false)
  const save = (text: string) => {
    setEditing(false)
    if (text !== line.text) change(line, text)
  }
  return (
    <Box
      role="listitem"
      data-line={line.id}
      {...(isNamed ? { 'aria-current': 'true' as const, bg: 'accent.subtle' } : {})}
      px={{ base: '3', md: '4' }}
      py="2.5"
      borderBottomWidth="1px"
      _focusWithin={{ bg: 'accent.subtle' }}
      className="group"
    >
      <HStack gap="3" align="start">
        <Text as="span" textStyle="secondary" color="fg.subtle" w="6" textAlign="end" pt="0.5" hideBelow="md">
          {number}
        </Text>
        {editing ? (
          <LineEditor {...{ choices, entities }} text={line.text} onSave={save} onCancel={() => setEditing(false)} />
        ) : (
          <LineText {...props} onEdit={() => setEditing(true)} />
        )}
        {canEdit && !editing ? (
          <HStack gap="0" flex="none">
            <IconButton icon={PenLine} size="xs" label={t('line.edit')} keys="Enter" onClick={() => setEditing(true)} />
            <IconButton icon={Trash2} size="xs" label={t('line.remove')} onClick={() => remove(line)} />
          </HStack>
        ) : null}
      </HStack>
      {problem === undefined || editing ? null : (
        <Box ps={{ base: '0', md: '9' }}>
          <ProblemRow {...props} problem={problem} />
        </Box>
      )}
    </Box>
  )
})

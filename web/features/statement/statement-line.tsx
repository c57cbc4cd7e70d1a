import { Box, Button, chakra, HStack, Input, Kbd, Text } from '@chakra-ui/react'
import { Copy, Eraser, PenLine, Plus, Shuffle, Tag, Trash2 } from 'lucide-react'
import { memo, type RefObject, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withMark, withoutMarks, withText } from '#domain/nlu/edit-statement.ts'
import { type MarkedStatement, parseStatement, printStatement } from '#domain/nlu/project-data.ts'
import { foldName } from '#schemas/fold-text.ts'
import { AnchoredPopover } from '#web/components/anchored-popover.tsx'
import { Chip } from '#web/components/chip.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { highlight } from '#web/theme/highlight.ts'
import { MarkedText, selectedPart } from './marked-text.tsx'
import { hueOf, type Problem, type Statement } from './use-intents.ts'

interface EntityChooserProps {
  readonly anchor: HTMLElement | null
  readonly part: string
  /** In the order in which they are offered. */
  readonly choices: readonly string[]
  /** In the order in which they were made. */
  readonly entities: readonly string[]
  /** Whether there is a mark to take away. */
  readonly isMarked: boolean
  onChoose(entity: string): void
  onClear(): void
  onClose(): void
}

interface Option {
  readonly key: string
  readonly kind: 'entity' | 'new' | 'clear'
  readonly name: string
}

const DIGIT = /^[1-9]$/u

const optionsOf = (entities: readonly string[], typed: string, isMarked: boolean): readonly Option[] => {
  const wanted = foldName(typed)
  const found = entities.filter(name => foldName(name).includes(wanted))
  const isKnown = entities.some(name => foldName(name) === wanted)
  return [
    ...found.map((name): Option => ({ key: `e${name}`, kind: 'entity', name })),
    ...(wanted === '' || isKnown || /[()[\]{}:"\\]/u.test(typed)
      ? []
      : [{ key: 'new', kind: 'new' as const, name: typed.trim() }]),
    ...(isMarked && wanted === '' ? [{ key: 'clear', kind: 'clear' as const, name: '' }] : []),
  ]
}

const OptionText = ({ option, entities, digit }: { option: Option; entities: readonly string[]; digit: number }) => {
  const { t } = useTranslation('nlu')
  if (option.kind === 'clear')
    return (
      <>
        <Eraser size={14} aria-hidden="true" />
        {t('mark.clear')}
      </>
    )
  if (option.kind === 'new')
    return (
      <>
        <Plus size={14} aria-hidden="true" />
        {t('mark.new', { name: option.name })}
      </>
    )
  return (
    <>
      <Box boxSize="2.5" borderRadius="2px" colorPalette={hueOf(option.name, entities)} bg="colorPalette.solid" />
      <Text as="span" flex="1" truncate>
        {option.name}
      </Text>
      {digit <= 9 ? <Kbd size="sm">{digit}</Kbd> : null}
    </>
  )
}

interface OptionListProps {
  readonly list: string
  readonly options: readonly Option[]
  readonly active: number
  readonly entities: readonly string[]
  onPoint(at: number): void
  onTake(option: Option): void
}

const OptionList = ({ list, options, active, entities, onPoint, onTake }: OptionListProps) => {
  const { t } = useTranslation('nlu')
  return (
    <Box id={list} role="listbox" aria-label={t('mark.entities')} mt="1.5" maxH="264px" overflow="auto">
      {options.map((option, at) => (
        <chakra.div
          key={option.key}
          id={`${list}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          px="1.5"
          minH={{ base: '11', md: '8' }}
          borderRadius="md"
          cursor="pointer"
          display="flex"
          alignItems="center"
          {...(at === active ? highlight : {})}
          color={option.kind === 'new' ? 'accent.fg' : undefined}
          onPointerMove={() => onPoint(at)}
          onClick={() => onTake(option)}
        >
          <HStack gap="2" w="100%" textStyle="dense">
            <OptionText option={option} entities={entities} digit={at + 1} />
          </HStack>
        </chakra.div>
      ))}
    </Box>
  )
}

/** Which entity a part of a line is: a digit, or some letters of its name and Enter. */
const EntityChooser = ({
  anchor,
  part,
  choices,
  entities,
  isMarked,
  onChoose,
  onClear,
  onClose,
}: EntityChooserProps) => {
  const { t } = useTranslation('nlu')
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const list = useId()
  const options = optionsOf(choices, typed, isMarked)
  const take = (option: Option | undefined) => {
    if (option === undefined) return
    if (option.kind === 'clear') onClear()
    else onChoose(option.name)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const digit = typed === '' && DIGIT.test(event.key) ? choices[Number(event.key) - 1] : undefined
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (digit !== undefined) onChoose(digit)
    else if (event.key === 'Enter') take(options[active])
    else if (step !== 0) setActive(at => (at + step + options.length) % Math.max(1, options.length))
    else return
    event.preventDefault()
  }
  return (
    <AnchoredPopover
      anchor={anchor}
      onClose={onClose}
      p="2"
      w="280px"
      role="dialog"
      aria-label={t('mark.title', { part })}
      css={{
        '@media (max-width: 47.99em)': { width: '100vw', maxWidth: '100vw', left: '0!', top: 'auto!', bottom: '0' },
      }}
    >
      <Text textStyle="secondary" color="fg.muted" px="1.5" pb="1.5" truncate>
        {t('mark.title', { part })}
      </Text>
      <Input
        data-autofocus
        size="sm"
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={options.length === 0 ? undefined : `${list}-${active}`}
        aria-label={t('mark.find')}
        placeholder={t('mark.find')}
        value={typed}
        onChange={event => {
          setTyped(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <OptionList {...{ list, options, active, entities }} onPoint={setActive} onTake={take} />
      {options.length === 0 ? (
        <Text textStyle="secondary" color="fg.muted" px="1.5" py="1">
          {t('mark.none')}
        </Text>
      ) : null}
    </AnchoredPopover>
  )
}

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
        <Chip icon={Copy}>{t('problem.duplicate', { number: problem.of })}</Chip>
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

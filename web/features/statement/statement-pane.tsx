import { Box, chakra, HStack, Input, Kbd, Text } from '@chakra-ui/react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Check, Copy, Shuffle } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { parseStatement, printStatement } from '#domain/nlu/project-data.ts'
import type { StatementIndex } from '#domain/nlu/statement-index.ts'
import { notice } from '#web/notice/notice.ts'
import { type LineCommands, StatementLine } from './statement-line.tsx'
import {
  type Intent,
  type LastTraining,
  type LineChange,
  newLineId,
  type Problem,
  problemsOf,
  type Statement,
} from './use-intents.ts'

interface NewLineProps {
  readonly intent: Intent
  readonly index: StatementIndex
  onAdd(text: string): void
}

/** Status of a line being typed, within this project. */
const standingOf = (text: string, intent: Intent, index: StatementIndex) => {
  const plain = parseStatement(text).text
  if (plain.trim() === '') return undefined
  const same = index.same(plain)
  if (same.some(line => line.intent === intent.id)) return { kind: 'known' as const }
  const near = index.near(plain, intent.id)
  return near === undefined ? { kind: 'new' as const } : { kind: 'near' as const, near }
}

const LOOKS = { known: [Copy, 'fg.muted'], near: [Shuffle, 'warning.fg'], new: [Check, 'positive.fg'] } as const

/** The field of a new line: says while it is typed whether it is new, and where it looks like. */
const NewLine = ({ intent, index, onAdd }: NewLineProps) => {
  const { t } = useTranslation('nlu')
  const [text, setText] = useState('')
  const standing = standingOf(text, intent, index)
  const add = () => {
    const parsed = parseStatement(text.trim())
    if (parsed.text.trim() === '') return
    onAdd(printStatement(parsed))
    setText('')
  }
  const [Glyph, color] = standing === undefined ? [undefined, undefined] : LOOKS[standing.kind]
  return (
    <Box position="relative">
      <Input
        aria-label={t('line.new')}
        placeholder={t('line.new')}
        value={text}
        maxLength={2000}
        pe={{ base: '3', md: '56' }}
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') add()
        }}
        onPaste={event => {
          const lines = event.clipboardData.getData('text/plain').split(/\r?\n/u)
          if (lines.filter(line => line.trim() !== '').length < 2) return
          event.preventDefault()
          for (const line of lines) if (line.trim() !== '') onAdd(printStatement(parseStatement(line.trim())))
        }}
      />
      <HStack
        role="status"
        gap="2"
        position={{ base: 'static', md: 'absolute' }}
        right="3"
        top="0"
        h={{ base: 'auto', md: '100%' }}
        maxW={{ base: '100%', md: '52' }}
        pointerEvents="none"
        textStyle="secondary"
        color={color}
      >
        {standing === undefined || Glyph === undefined ? null : (
          <>
            <Glyph size={14} aria-hidden="true" style={{ flex: 'none' }} />
            <Text as="span" truncate>
              {standing.kind === 'near'
                ? t('line.near', { name: standing.near.name, score: standing.near.score })
                : t(`line.is${standing.kind}`)}
            </Text>
            <Kbd size="sm" hideBelow="md">
              Enter
            </Kbd>
          </>
        )}
      </HStack>
    </Box>
  )
}

interface Props {
  readonly intent: Intent
  readonly index: StatementIndex
  readonly entities: readonly string[]
  readonly canEdit: boolean
  readonly training: LastTraining
  save(intent: string, change: LineChange): Promise<boolean>
}

type Kind = Problem['kind']
const KINDS: readonly Kind[] = ['duplicate', 'conflict', 'confused']

const useCommands = (intent: Intent, save: Props['save'], onKeep: (id: string) => void): LineCommands => {
  const { t } = useTranslation('nlu')
  const { id } = intent
  return useMemo(() => {
    const insert = (at: number, line: Statement) => save(id, lines => lines.toSpliced(at, 0, line))
    return {
      change: (line, text) =>
        void save(id, lines => lines.map(each => (each.id === line.id ? { ...each, text } : each))),
      async remove(line) {
        let at = 0
        const isGone = await save(id, lines => {
          at = Math.max(
            0,
            lines.findIndex(each => each.id === line.id),
          )
          return lines.filter(each => each.id !== line.id)
        })
        if (isGone)
          notice.snack(t('line.removed'), { action: { label: t('line.undo'), run: () => void insert(at, line) } })
      },
      async move(line, to) {
        const isThere = await save(to, lines => [...lines, { ...line, id: newLineId() }])
        if (isThere) await save(id, lines => lines.filter(each => each.id !== line.id))
      },
      keep: line => onKeep(line.id),
    }
  }, [id, save, t, onKeep])
}

const FilterChips = ({
  problems,
  shown,
  onShow,
}: {
  problems: readonly Problem[]
  shown: Kind | undefined
  onShow(kind: Kind | undefined): void
}) => {
  const { t } = useTranslation('nlu')
  return (
    <HStack gap="2" flexWrap="wrap">
      {KINDS.map(kind => (
        <chakra.button
          key={kind}
          type="button"
          aria-pressed={kind === shown}
          px="2.5"
          minH={{ base: '11', md: '7' }}
          borderWidth="1px"
          borderStyle={kind === shown ? 'solid' : 'dashed'}
          borderColor={kind === shown ? 'accent.solid' : 'border.control'}
          bg={kind === shown ? 'accent.subtle' : undefined}
          borderRadius="md"
          cursor="pointer"
          textStyle="secondary"
          focusVisibleRing="outside"
          onClick={() => onShow(kind === shown ? undefined : kind)}
        >
          {t(`filter.${kind}`, { count: problems.filter(problem => problem.kind === kind).length })}
        </chakra.button>
      ))}
    </HStack>
  )
}

/** Lines with problems first, then in their order. */
const orderedLines = (intent: Intent, problems: ReadonlyMap<string, Problem>, shown: Kind | undefined) => {
  const lines = intent.statements.map((line, at) => ({ line, number: at + 1, problem: problems.get(line.id) }))
  const wanted = shown === undefined ? lines : lines.filter(({ problem }) => problem?.kind === shown)
  return [...wanted.filter(({ problem }) => problem), ...wanted.filter(({ problem }) => problem === undefined)]
}

/** Entities that the intent's lines hold first, the most frequent before the others. */
const choicesOf = ({ statements }: Intent, entities: readonly string[]): readonly string[] => {
  const counts = new Map<string, number>()
  for (const { text } of statements)
    for (const { entity } of parseStatement(text).spans) counts.set(entity, (counts.get(entity) ?? 0) + 1)
  const used = [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name)
  return [...used, ...entities.filter(name => !counts.has(name))]
}

/** Shows the line that the address names, once. */
const useNamedLine = (
  lines: readonly { readonly line: Statement }[],
  list: { scrollToIndex(at: number, options: { align: 'center' }): void },
): string | undefined => {
  const [search] = useSearchParams()
  const named = search.get('line') ?? undefined
  const at = lines.findIndex(({ line }) => line.id === named)
  const shown = useRef<string>(undefined)
  useEffect(() => {
    if (at < 0 || shown.current === named) return
    shown.current = named
    list.scrollToIndex(at, { align: 'center' })
  }, [at, named, list])
  return named
}

const Help = () => {
  const { t } = useTranslation('nlu')
  return (
    <Text px="4" py="2" borderTopWidth="1px" textStyle="secondary" color="fg.muted" hideBelow="md">
      {t('mark.help')}
    </Text>
  )
}

interface LinesProps extends LineCommands, Pick<Props, 'entities' | 'canEdit'> {
  readonly lines: ReturnType<typeof orderedLines>
  readonly choices: readonly string[]
}

const Lines = ({ lines, choices, entities, canEdit, ...commands }: LinesProps) => {
  const { t } = useTranslation('nlu')
  const scroll = useRef<HTMLDivElement>(null)
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: at => (lines[at]?.problem === undefined ? 48 : 84),
    getItemKey: at => lines[at]?.line.id ?? at,
    overscan: 10,
  })
  const named = useNamedLine(lines, list)
  return (
    <Box ref={scroll} flex="1" minH="0" overflow="auto">
      <Box role="list" aria-label={t('line.all')} position="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(item => {
          const row = lines[item.index]
          return row === undefined ? null : (
            <div
              key={item.key}
              ref={list.measureElement}
              data-index={item.index}
              style={{ position: 'absolute', top: 0, left: 0, right: 0, transform: `translateY(${item.start}px)` }}
            >
              <StatementLine
                {...row}
                {...commands}
                {...{ choices, entities, canEdit }}
                isNamed={row.line.id === named}
              />
            </div>
          )
        })}
      </Box>
    </Box>
  )
}

/** The lines of one intent. */
export const StatementPane = ({ intent, index, entities, canEdit, training, save }: Props) => {
  const { t } = useTranslation('nlu')
  const [shown, setShown] = useState<Kind>()
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const found = useMemo(() => problemsOf(intent, index, training.confused(intent)), [intent, index, training])
  const problems = useMemo(() => new Map([...found].filter(([id]) => !kept.has(id))), [found, kept])
  const keep = useCallback(
    (id: string) => {
      setKept(known => new Set([...known, id]))
      const problem = found.get(id)
      if (problem?.kind === 'confused') training.keep?.(id, problem.with.name)
    },
    [found, training],
  )
  const commands = useCommands(intent, save, keep)
  const lines = useMemo(() => orderedLines(intent, problems, shown), [intent, problems, shown])
  const choices = useMemo(() => choicesOf(intent, entities), [intent, entities])
  const add = (text: string) => void save(intent.id, all => [{ id: newLineId(), text }, ...all])
  return (
    <>
      <Box px={{ base: '3', md: '4' }} py="3" borderBottomWidth="1px">
        {canEdit ? <NewLine intent={intent} index={index} onAdd={add} /> : null}
        <HStack mt="2.5" justify="space-between" gap="2" flexWrap="wrap">
          <FilterChips problems={[...problems.values()]} shown={shown} onShow={setShown} />
          <Text textStyle="secondary" color="fg.muted" hideBelow="md">
            {t('filter.first')}
          </Text>
        </HStack>
      </Box>
      {lines.length === 0 ? (
        <Text textStyle="dense" color="fg.muted" p="6" textAlign="center" flex="1">
          {t(shown === undefined ? 'line.empty' : 'filter.none')}
        </Text>
      ) : (
        <Lines {...commands} {...{ lines, choices, entities, canEdit }} />
      )}
      <Help />
    </>
  )
}

import { Box, Button, Flex, HStack, Input, Stack, Text } from '@chakra-ui/react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowLeft, MessageSquareText, PenLine, Plus, TriangleAlert } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { parseStatement } from '#domain/nlu/project-data.ts'
import type { StatementIndex } from '#domain/nlu/statement-index.ts'
import { foldName } from '#schemas/fold-text.ts'
import { useSession } from '#web/api/session.ts'
import { IconButton } from '#web/components/hint.tsx'
import { RouterLink } from '#web/page/router-link.ts'
import { RowLink } from '#web/page/row-link.tsx'
import { StatementPane } from './statement-pane.tsx'
import {
  hueOf,
  type Intent,
  type LastTraining,
  problemsOf,
  type StatementOwner,
  useEntityNames,
  useSaveLines,
} from './use-intents.ts'

/** With fewer lines an intent is learned badly. */
const FEW = 5

interface IntentListProps {
  readonly intents: readonly Intent[]
  readonly index: StatementIndex
  readonly open: string | undefined
  readonly addressOf: (intent: string) => string
  /** In the last training, by name. */
  readonly f1: ReadonlyMap<string, number>
  /** Without it none can be made. */
  readonly onNew?: () => void
}

/** Under it an intent needs work. */
const WEAK = 0.75

const F1 = ({ value }: { readonly value: number }) => {
  const { t } = useTranslation('nlu')
  const isWeak = value < WEAK
  return (
    <HStack gap="2" flex="none" title={t('intent.f1of')}>
      <Box w="11" h="1.5" bg="bg.sunken" borderRadius="full" aria-hidden="true">
        <Box h="100%" borderRadius="full" bg={isWeak ? 'warning.solid' : 'fg'} style={{ width: `${value * 100}%` }} />
      </Box>
      <Text
        as="span"
        textStyle="dense"
        fontWeight={isWeak ? 'semibold' : 'normal'}
        color={isWeak ? 'warning.fg' : undefined}
        fontVariantNumeric="tabular-nums"
        aria-label={t('intent.f1', { value })}
      >
        {t('intent.figure', { value })}
      </Text>
    </HStack>
  )
}

interface RowProps {
  readonly intent: Intent
  readonly conflicts: number
  readonly f1: number | undefined
  readonly isOpen: boolean
  readonly to: string
}

const IntentRow = ({ intent, conflicts, f1, isOpen, to }: RowProps) => {
  const { t } = useTranslation('nlu')
  const count = intent.statements.length
  const problem =
    conflicts > 0 ? t('intent.conflicts', { count: conflicts }) : count < FEW ? t('intent.few') : undefined
  return (
    <RowLink to={to} isOpen={isOpen} alignItems="center" gap="3" px="4" py="2.5" minH="58px" borderBottomWidth="1px">
      <Box flex="1" minW="0">
        <Text fontFamily="mono" fontSize="sm" fontWeight={isOpen ? 'bold' : 'normal'} truncate>
          {intent.name}
        </Text>
        <HStack gap="2" textStyle="secondary" color="fg.muted">
          {t('intent.lines', { count })}
          {problem === undefined ? null : (
            <HStack as="span" gap="1" color="warning.fg">
              <TriangleAlert size={12} aria-hidden="true" />
              {problem}
            </HStack>
          )}
        </HStack>
      </Box>
      {f1 === undefined ? null : <F1 value={f1} />}
    </RowLink>
  )
}

const useFound = (intents: readonly Intent[], typed: string): readonly Intent[] =>
  useMemo(
    () =>
      intents
        .filter(({ name }) => foldName(name).includes(foldName(typed)))
        .toSorted((a, b) => a.name.localeCompare(b.name)),
    [intents, typed],
  )

/** The intents of a project, with how many lines each has and what is wrong. */
const IntentList = ({ intents, index, open, addressOf, f1, onNew }: IntentListProps) => {
  const { t } = useTranslation('nlu')
  const [typed, setTyped] = useState('')
  const scroll = useRef<HTMLDivElement>(null)
  const found = useFound(intents, typed)
  const list = useVirtualizer({
    count: found.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => 59,
    getItemKey: at => found[at]?.id ?? at,
    overscan: 10,
  })
  return (
    <>
      <HStack p="3" gap="2" borderBottomWidth="1px">
        <Input
          type="search"
          size="sm"
          aria-label={t('intent.search')}
          placeholder={t('intent.search')}
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
        {onNew === undefined ? null : (
          <IconButton icon={Plus} variant="outline" label={t('intent.new')} onClick={onNew} />
        )}
      </HStack>
      <Box ref={scroll} as="nav" aria-label={t('intent.all')} flex="1" minH="0" overflow="auto">
        <Box position="relative" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(item => {
            const intent = found[item.index]
            return intent === undefined ? null : (
              <div
                key={item.key}
                style={{ position: 'absolute', top: 0, left: 0, right: 0, transform: `translateY(${item.start}px)` }}
              >
                <IntentRow
                  intent={intent}
                  conflicts={index.conflicts(intent.id)}
                  f1={f1.get(intent.name)}
                  isOpen={intent.id === open}
                  to={addressOf(intent.id)}
                />
              </div>
            )
          })}
        </Box>
        {found.length === 0 ? (
          <Text textStyle="dense" color="fg.muted" p="6" textAlign="center">
            {t('intent.none')}
          </Text>
        ) : null}
      </Box>
    </>
  )
}

interface FactsPaneProps {
  readonly intent: Intent
  readonly index: StatementIndex
  readonly entities: readonly string[]
  readonly training: LastTraining
}

const counted = (names: readonly string[]): Counted => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}

type Counted = readonly (readonly [name: string, count: number])[]

const Section = ({ title, none, children }: { title: string; none: string | undefined; children: React.ReactNode }) => (
  <Box p="4" borderBottomWidth="1px">
    <Text as="h2" textStyle="card" mb="2.5">
      {title}
    </Text>
    {none === undefined ? null : (
      <Text textStyle="secondary" color="fg.muted">
        {none}
      </Text>
    )}
    <Stack as="ul" listStyleType="none" gap="2.5">
      {children}
    </Stack>
  </Box>
)

const EntityCounts = ({ marked, entities }: { readonly marked: Counted; readonly entities: readonly string[] }) => {
  const { t } = useTranslation('nlu')
  const most = Math.max(1, ...marked.map(([, count]) => count))
  return (
    <Section title={t('facts.entities')} none={marked.length === 0 ? t('facts.noentities') : undefined}>
      {marked.map(([name, count]) => (
        <Box as="li" key={name} colorPalette={hueOf(name, entities)} textStyle="dense">
          <HStack gap="2">
            <Box boxSize="2.5" borderRadius="2px" bg="colorPalette.solid" flex="none" />
            <Text as="span" flex="1" truncate>
              {name}
            </Text>
            <Text as="span" color="fg.muted" fontVariantNumeric="tabular-nums">
              {count}
            </Text>
          </HStack>
          <Box mt="1" h="1.5" bg="bg.sunken" borderRadius="full">
            <Box h="100%" bg="colorPalette.solid" borderRadius="full" style={{ width: `${(100 * count) / most}%` }} />
          </Box>
        </Box>
      ))}
    </Section>
  )
}

/** Which entities an intent's lines hold, and which intents it is confused with. */
const FactsPane = ({ intent, index, entities, training }: FactsPaneProps) => {
  const { t } = useTranslation('nlu')
  const marked = useMemo(
    () => counted(intent.statements.flatMap(({ text }) => parseStatement(text).spans.map(({ entity }) => entity))),
    [intent],
  )
  const confused = useMemo(
    () =>
      counted(
        [...problemsOf(intent, index, training.confused(intent)).values()].flatMap(one =>
          one.kind === 'duplicate' ? [] : [one.with.name],
        ),
      ),
    [intent, index, training],
  )
  return (
    <>
      <EntityCounts marked={marked} entities={entities} />
      <Section title={t('facts.confused')} none={confused.length === 0 ? t('facts.notconfused') : undefined}>
        {confused.map(([name, count]) => (
          <HStack as="li" key={name} textStyle="dense">
            <Text as="span" fontFamily="mono" flex="1" truncate>
              {name}
            </Text>
            <Text as="span" color="warning.fg" fontWeight="semibold">
              {count}
            </Text>
          </HStack>
        ))}
      </Section>
    </>
  )
}

interface Props {
  readonly owner: StatementOwner
  /** Id of the project or brain. */
  readonly id: string
  readonly intents: readonly Intent[]
  readonly index: StatementIndex
  readonly open: Intent | undefined
  /** Address of the list with an intent open, or none. */
  readonly addressOf: (intent: string | undefined) => string
  readonly onNew: (() => void) | undefined
  readonly training: LastTraining
}

const Pane = ({ children, ...props }: React.ComponentProps<typeof Flex>) => (
  <Flex direction="column" minH="0" minW="0" bg="bg.surface" {...props}>
    {children}
  </Flex>
)

interface HeadProps {
  readonly owner: StatementOwner
  readonly intent: Intent
  readonly back: string
  readonly f1: number | undefined
}

const IntentHead = ({ owner, intent, back, f1 }: HeadProps) => {
  const { t } = useTranslation('nlu')
  return (
    <HStack px={{ base: '3', md: '4' }} pt="3" gap="2" flexWrap="wrap">
      <RouterLink to={back} aria-label={t('intent.back')} hideFrom="md" p="2" focusVisibleRing="outside">
        <ArrowLeft size={18} aria-hidden="true" />
      </RouterLink>
      <Text as="h2" fontFamily="mono" fontWeight="bold" flex="1" minW="0" truncate>
        {intent.name}
      </Text>
      <Text textStyle="secondary" color="fg.muted" hideBelow="md">
        {t('intent.lines', { count: intent.statements.length })}
      </Text>
      {f1 === undefined ? null : (
        <Text textStyle="secondary" color="fg.muted" fontVariantNumeric="tabular-nums">
          {t('intent.f1', { value: f1 })}
        </Text>
      )}
      <Button asChild size="xs">
        <Link to={`/${owner.entity}/responsedesigner/${intent.id}`}>
          <MessageSquareText size={14} aria-hidden="true" />
          {t('intent.responses')}
        </Link>
      </Button>
      <Button asChild size="xs" variant="ghost">
        <Link to={`/${owner.entity}/${intent.id}`} aria-label={t('intent.form')} title={t('intent.form')}>
          <PenLine size={14} aria-hidden="true" />
        </Link>
      </Button>
    </HStack>
  )
}

const Aside = (props: React.ComponentProps<typeof FactsPane>) => {
  const { t } = useTranslation('nlu')
  return (
    <Pane
      as="aside"
      aria-label={t('facts.title')}
      w="240px"
      flex="none"
      borderInlineStartWidth="1px"
      overflow="auto"
      hideBelow="xl"
    >
      <FactsPane {...props} />
    </Pane>
  )
}

/** Three panes: intents, the lines of one, and what they hold. A narrow window shows the first or the second. */
export const StatementWorkspace = ({ owner, id, intents, index, open, addressOf, onNew, training }: Props) => {
  const { t } = useTranslation('nlu')
  const { can } = useSession()
  const save = useSaveLines(owner, id)
  const declared = useEntityNames(owner, id)
  const canEdit = can(`update${owner.entity}`)
  return (
    <Flex
      borderWidth="1px"
      borderRadius="lg"
      overflow="hidden"
      h={{ base: 'calc(100dvh - 210px)', md: 'calc(100dvh - 240px)' }}
      minH="420px"
    >
      <Pane
        w={{ base: '100%', md: '300px', xl: '320px' }}
        flex="none"
        borderInlineEndWidth={{ base: '0', md: '1px' }}
        hideBelow={open === undefined ? undefined : 'md'}
      >
        <IntentList
          intents={intents}
          index={index}
          open={open?.id}
          addressOf={addressOf}
          f1={training.f1}
          {...(onNew === undefined ? {} : { onNew })}
        />
      </Pane>
      {open === undefined ? (
        <Pane flex="1" hideBelow="md" align="center" justify="center">
          <Text color="fg.muted" textStyle="dense">
            {t('intent.choose')}
          </Text>
        </Pane>
      ) : (
        <>
          <Pane flex="1">
            <IntentHead owner={owner} intent={open} back={addressOf(undefined)} f1={training.f1.get(open.name)} />
            <StatementPane key={open.id} intent={open} entities={declared} {...{ index, canEdit, training, save }} />
          </Pane>
          <Aside intent={open} index={index} entities={declared} training={training} />
        </>
      )}
    </Flex>
  )
}

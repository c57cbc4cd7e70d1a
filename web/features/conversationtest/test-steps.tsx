import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Check, ChevronRight, X } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TestStep } from '#domain/conversation-test/test-schema.ts'
import { wordDiff } from '#domain/flow/diff/word-diff.ts'
import { isMachineTitle } from '#domain/flow/text/block-text.ts'
import type { Json } from '#schemas/event.ts'
import { isObject, jsonEqual } from '#schemas/json.ts'
import { http } from '#web/api/http.ts'
import { MessageText } from '#web/components/message-text.tsx'
import type { Column } from './test-matrix.tsx'
import { type Outcome, runQuery } from './test-query.ts'
import { messageText, stepText, waitOf } from './verdict-mark.tsx'

interface DiffWordsProps {
  readonly expected: string
  readonly came: string
  readonly side: 'expected' | 'came'
}

/** One side of two texts, with the words that the other one lacks in its colour. */
const DiffWords = ({ expected, came, side }: DiffWordsProps) =>
  wordDiff(expected, came).map(({ kind, text }, place) => {
    const key = `${place}${kind}`
    if (kind === 'same') return <span key={key}>{text}</span>
    if (kind === 'removed')
      return side === 'came' ? null : (
        <chakra.del key={key} bg="diff.removed.muted" color="diff.removed.fg" fontWeight="semibold">
          {text}
        </chakra.del>
      )
    return side === 'expected' ? null : (
      <chakra.ins key={key} bg="diff.added.muted" color="diff.added.fg" fontWeight="semibold" textDecoration="none">
        {text}
      </chakra.ins>
    )
  })

type FailureText = Pick<Outcome, 'kind' | 'expected' | 'got' | 'more'>

interface SideProps {
  readonly side: 'expected' | 'came'
  readonly label: string
  readonly children: ReactNode
}

const Side = ({ side, label, children }: SideProps) => (
  <Box
    display="grid"
    gridTemplateColumns={{ base: '1fr', sm: '88px minmax(0, 1fr)' }}
    columnGap="2"
    px="3"
    py="2"
    borderInlineStartWidth="3px"
    borderInlineStartColor={side === 'expected' ? 'diff.removed.solid' : 'diff.added.solid'}
    css={{ '&:not(:first-of-type)': { borderTopWidth: '1px' } }}
  >
    <Text textStyle="secondary" color="fg.muted">
      {label}
    </Text>
    <Text textStyle="dense" whiteSpace="pre-wrap" overflowWrap="anywhere">
      {children}
    </Text>
  </Box>
)

const Sides = ({ expected, came, more = [] }: { expected: string; came: string; more?: readonly string[] }) => {
  const { t } = useTranslation('conversationtest')
  const nothing = <chakra.em color="fg.muted">{t('nothing')}</chakra.em>
  return (
    <Box borderWidth="1px" borderRadius="md" overflow="hidden" bg="bg.surface">
      <Side side="expected" label={t('expected')}>
        {expected === '' ? nothing : <DiffWords expected={expected} came={came} side="expected" />}
      </Side>
      <Side side="came" label={t('came')}>
        {came === '' ? nothing : <DiffWords expected={expected} came={came} side="came" />}
      </Side>
      {more.map((text, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the messages of one turn, in their order
        <Side key={place} side="came" label={t('more')}>
          <DiffWords expected="" came={text} side="came" />
        </Side>
      ))}
    </Box>
  )
}

const Pill = ({ side, children }: { readonly side: 'expected' | 'came'; readonly children: ReactNode }) => (
  <chakra.span
    borderWidth="1px"
    borderStyle={side === 'expected' ? 'dashed' : 'solid'}
    borderColor={side === 'expected' ? 'diff.removed.solid' : 'diff.added.solid'}
    color={side === 'expected' ? 'diff.removed.fg' : 'diff.added.fg'}
    textDecoration={side === 'expected' ? 'line-through' : undefined}
    bg="bg.surface"
    borderRadius="md"
    px="2"
    py="0.5"
    textStyle="dense"
    fontWeight="semibold"
  >
    {children}
  </chakra.span>
)

/** Two values of a name that should be one. */
const Changed = ({ name, expected, came }: { name: string; expected: string; came: string }) => (
  <Box borderWidth="1px" borderRadius="md" px="3" py="2" bg="bg.surface" minW="0">
    <Text textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
      {name}
    </Text>
    <HStack gap="1.5" fontFamily="mono" textStyle="dense" flexWrap="wrap">
      <chakra.del bg="diff.removed.muted" color="diff.removed.fg" overflowWrap="anywhere">
        {expected}
      </chakra.del>
      <ChevronRight size={13} aria-hidden="true" />
      <chakra.ins bg="diff.added.muted" color="diff.added.fg" textDecoration="none" overflowWrap="anywhere">
        {came}
      </chakra.ins>
    </HStack>
  </Box>
)

const State = ({ expected, got }: FailureText) => {
  const [name = ''] = isObject(expected) ? Object.keys(expected) : []
  const [wanted, came] = [expected, got].map(side => (isObject(side) ? side[name] : undefined))
  if (name === 'at')
    return (
      <HStack gap="2" flexWrap="wrap">
        <Pill side="expected">{String(wanted ?? '–')}</Pill>
        <ChevronRight size={14} aria-hidden="true" />
        <Pill side="came">{String(came ?? '–')}</Pill>
      </HStack>
    )
  if (!isObject(wanted) || !isObject(came))
    return <Changed name={name} expected={JSON.stringify(wanted ?? null)} came={JSON.stringify(came ?? null)} />
  const differing = Object.keys(wanted).filter(key => JSON.stringify(wanted[key]) !== JSON.stringify(came[key]))
  return (
    <Box display="grid" gap="2" gridTemplateColumns="repeat(auto-fill, minmax(160px, 1fr))">
      {(differing.length === 0 ? Object.keys(wanted) : differing).map(key => (
        <Changed
          key={key}
          name={key}
          expected={JSON.stringify(wanted[key] ?? null)}
          came={JSON.stringify(came[key] ?? null)}
        />
      ))}
    </Box>
  )
}

const plain = (value: Json | undefined): string => {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value))
    return value.map(item => `[${typeof item === 'string' ? item : JSON.stringify(item)}]`).join(' ')
  return isObject(value)
    ? Object.entries(value)
        .map(([name, held]) => `${name}: ${plain(held)}`)
        .join('\n')
    : String(value)
}

/** The kind of answer that is waited for, where that alone differs. */
const withWait = (message: Json | undefined, other: Json | undefined): string => {
  const wait = waitOf(message)
  const text = messageText(message)
  return wait === undefined || waitOf(other) === undefined || wait === waitOf(other) ? text : `${text}\n⏳ ${wait}`
}

/** Expected and actual values, in the form of each failure kind. */
const FailureBody = ({ kind, expected, got, more = [] }: FailureText) => {
  const { t } = useTranslation('conversationtest')
  switch (kind) {
    case 'message':
      return <Sides expected={withWait(expected, got)} came={withWait(got, expected)} more={more.map(messageText)} />
    case 'silent':
      return <Sides expected={messageText(expected)} came="" />
    case 'extra': {
      const [first, ...rest] = Array.isArray(got) ? got.map((message: Json) => messageText(message)) : []
      return <Sides expected="" came={first ?? ''} more={rest} />
    }
    case 'state':
      return <State kind={kind} expected={expected ?? null} got={got ?? null} />
    case 'action':
    case 'call':
      return (
        <Fragment>
          <Sides expected={plain(expected)} came={plain(got)} />
          <Text textStyle="secondary" color="fg.muted" mt="1.5">
            {t(`hint.${kind}`)}
          </Text>
        </Fragment>
      )
    default:
      return plain(expected ?? got) === '' ? null : <Text textStyle="dense">{plain(expected ?? got)}</Text>
  }
}

const PERSON = new Set(['user', 'choose', 'press', 'attach', 'locate', 'menu'])

const whoOf = ({ kind }: TestStep): 'bot' | 'person' | 'clock' | 'event' | 'state' => {
  if (kind === 'bot') return 'bot'
  if (kind === 'wait') return 'clock'
  if (kind === 'expect') return 'state'
  return PERSON.has(kind) ? 'person' : 'event'
}

interface RowProps {
  readonly number: number
  readonly who: string
  readonly text: ReactNode
  readonly isStrong: boolean
  readonly state: 'passed' | 'failed' | 'later'
  readonly title?: string | undefined
  readonly children?: ReactNode
}

const StepRow = ({ number, who, text, isStrong, state, title, children }: RowProps) => (
  <Box
    as="li"
    data-step={number}
    data-state={state}
    px="3"
    py="2.5"
    borderInlineStartWidth="3px"
    borderInlineStartColor={state === 'failed' ? 'diff.removed.solid' : 'transparent'}
    bg={state === 'failed' ? 'diff.removed.subtle' : 'bg.surface'}
    color={state === 'later' ? 'fg.muted' : undefined}
    css={{ '&:not(:first-of-type)': { borderTopWidth: '1px' } }}
  >
    <HStack align="start" gap="3">
      <Text flex="none" w="5" textAlign="end" textStyle="secondary" color="fg.muted" fontVariantNumeric="tabular-nums">
        {number}
      </Text>
      <Text flex="none" w="14" textStyle="secondary" color="fg.muted" fontWeight="semibold">
        {who}
      </Text>
      <Text
        flex="1"
        minW="0"
        textStyle="dense"
        fontWeight={isStrong || title !== undefined ? 'semibold' : undefined}
        color={title === undefined ? undefined : 'diff.removed.fg'}
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
      >
        {title ?? text}
      </Text>
      {state === 'passed' ? (
        <chakra.span color="diff.added.fg" flex="none">
          <Check size={15} strokeWidth={2.25} aria-hidden="true" />
        </chakra.span>
      ) : null}
      {state === 'failed' ? (
        <chakra.span color="diff.removed.fg" flex="none">
          <X size={15} strokeWidth={2.25} aria-hidden="true" />
        </chakra.span>
      ) : null}
    </HStack>
    {children}
  </Box>
)

interface StepsProps {
  readonly steps: readonly TestStep[]
  readonly outcome: Outcome | undefined
  /** Undefined where what came cannot be taken, or may not be. */
  readonly onAccept: (() => void) | undefined
  /** Takes the words of the message alone; undefined where that is all that is taken anyway. */
  readonly onAcceptWords: (() => void) | undefined
  readonly isBusy: boolean
}

/** Title of a block as in the designer: without one, the name of its type. */
const BlockName = ({ dialog, block, title }: NonNullable<Outcome['at']>) => {
  const { t } = useTranslation('block')
  const { data: flow } = useQuery({
    queryKey: ['dialog', 'blocktypes', dialog],
    queryFn: () => http.get('/{kind}/{id}/flow', { params: { kind: 'dialog', id: dialog } }),
    retry: false,
  })
  const type = flow?.operators[block]?.type
  if (typeof type === 'string' && isMachineTitle(title, type))
    return <b>{t(`type.${type}`, { defaultValue: title })}</b>
  return <b>{title || (flow === undefined ? '' : t('type.unknown'))}</b>
}

interface FailureProps extends Pick<StepsProps, 'onAccept' | 'onAcceptWords' | 'isBusy'> {
  readonly outcome: Outcome
}

/** Expected and actual values, place of failure, and a button to accept. */
const Failure = ({ outcome, onAccept, onAcceptWords, isBusy }: FailureProps) => {
  const { t } = useTranslation('conversationtest')
  const { at } = outcome
  return (
    <Box ps={{ base: '0', sm: '8' }} pt="2" display="grid" gap="2.5">
      <FailureBody {...outcome} />
      <HStack gap="3" flexWrap="wrap">
        {onAccept === undefined ? null : (
          <Button size="sm" loading={isBusy} onClick={onAccept}>
            <Check size={14} aria-hidden="true" />
            {t('accept')}
          </Button>
        )}
        {onAcceptWords === undefined ? null : (
          <Button size="sm" variant="ghost" disabled={isBusy} onClick={onAcceptWords}>
            {t('acceptwords')}
          </Button>
        )}
        {at === undefined ? null : (
          <Text textStyle="secondary" color="fg.muted">
            {t('atblock')} <BlockName {...at} />
          </Text>
        )}
      </HStack>
    </Box>
  )
}

/** State of a step; an unexpected message appears after the step that it followed. */
const stateOf = (number: number, outcome: Outcome | undefined): 'passed' | 'failed' | 'later' => {
  if (outcome === undefined) return 'later'
  if (outcome.passed) return 'passed'
  const { step = 0, kind } = outcome
  if (number === step) return kind === 'extra' ? 'passed' : 'failed'
  return number < step ? 'passed' : 'later'
}

/** A state failure has its own text unless it is about the position. */
const kindOf = ({ kind = 'message', expected }: Outcome): 'message' => {
  const isPlace = typeof expected === 'object' && expected !== null && 'at' in expected
  return (kind === 'state' && !isPlace ? 'held' : kind) as 'message'
}

/** Whether a step expects nothing but that the conversation has ended, or has not. */
const isEnding = (value: unknown): value is { readonly ended: boolean } =>
  isObject(value) && typeof value.ended === 'boolean' && Object.keys(value).length === 1

/** The steps of a test, up to the one that failed, which shows what was expected and what came. */
export const TestSteps = ({ steps, outcome, ...accepting }: StepsProps) => {
  const { t } = useTranslation('conversationtest')
  const isFailing = outcome !== undefined && !outcome.passed
  const textOf = (step: TestStep) =>
    step.kind === 'expect' && isEnding(step.value) ? t(step.value.ended ? 'ended' : 'notended') : stepText(step)
  const title = isFailing ? t(`kind.${kindOf(outcome)}`) : undefined
  const failure = isFailing ? <Failure outcome={outcome} {...accepting} /> : null
  const rows = steps.map((step, place) => {
    const who = whoOf(step)
    const number = place + 1
    const state = stateOf(number, outcome)
    const isFailed = state === 'failed'
    return (
      <StepRow
        key={`${number} ${step.line}`}
        number={number}
        who={t(`who.${who}`)}
        text={who === 'bot' ? <MessageText text={stepText(step)} /> : textOf(step)}
        isStrong={who === 'person'}
        state={state}
        title={isFailed && who !== 'person' ? title : undefined}
      >
        {isFailed && who === 'person' ? (
          <Text textStyle="dense" fontWeight="semibold" color="diff.removed.fg" ps={{ base: '0', sm: '8' }} pt="1">
            {title}
          </Text>
        ) : null}
        {isFailed ? failure : null}
      </StepRow>
    )
  })
  const step = outcome?.step ?? 0
  if (isFailing && (outcome.kind === 'extra' || step === 0))
    rows.splice(
      step,
      0,
      <StepRow key="extra" number={step + 1} who={t('who.bot')} text="" isStrong={false} state="failed" title={title}>
        {failure}
      </StepRow>,
    )
  return (
    <Box as="ol" listStyleType="none" borderWidth="1px" borderRadius="lg" overflow="hidden" bg="bg.surface">
      {rows}
    </Box>
  )
}

interface ValuesProps {
  readonly bot: string
  readonly test: string
  readonly outcome: Outcome | undefined
  /** The oldest first. */
  readonly columns: readonly Column[]
}

const shown = (value: Json | undefined): string => (value === undefined ? '–' : JSON.stringify(value))

/** The newest moment at which a test held. */
const heldAt = (columns: readonly Column[], test: string): Column['moment'] | undefined =>
  columns.findLast(({ outcomes }) => outcomes?.get(test)?.passed === true)?.moment

/** Variables at the end of the test, and those of its last passing run. */
export const TestValues = ({ bot, test, outcome, columns }: ValuesProps) => {
  const { t } = useTranslation('conversationtest')
  const moment = outcome?.passed === false ? heldAt(columns, test) : undefined
  const asked = { at: (moment?.at ?? 'draft') as 'draft', tests: [test] }
  const passed = useQuery({ ...runQuery(bot, asked), enabled: moment !== undefined })
  const now = outcome?.values ?? {}
  const before = moment === undefined ? undefined : passed.data?.outcomes[0]?.values
  const names = [...new Set([...Object.keys(now), ...Object.keys(before ?? {})])].sort()
  const isOther = (name: string) => before !== undefined && !jsonEqual(now[name] ?? null, before[name] ?? null)
  const others = names.filter(isOther)
  if (names.length === 0)
    return (
      <Text textStyle="dense" color="fg.muted">
        {t('novalues')}
      </Text>
    )
  return (
    <>
      {others.length === 0 ? null : (
        <Box as="section" aria-label={t('othervalues')} mb="4">
          <Text textStyle="secondary" color="fg.muted" mb="1.5">
            {t('othervalues')}
          </Text>
          <Box display="grid" gap="2" gridTemplateColumns="repeat(auto-fill, minmax(180px, 1fr))">
            {others.map(name => (
              <Changed key={name} name={name} expected={shown(before?.[name])} came={shown(now[name])} />
            ))}
          </Box>
        </Box>
      )}
      <chakra.dl borderWidth="1px" borderRadius="lg" bg="bg.surface" overflow="hidden">
        {names
          .filter(name => !isOther(name))
          .map(name => (
            <Box
              key={name}
              display="grid"
              gridTemplateColumns="minmax(0, 2fr) minmax(0, 3fr)"
              gap="3"
              px="3"
              py="2"
              textStyle="dense"
              css={{ '&:not(:first-of-type)': { borderTopWidth: '1px' } }}
            >
              <chakra.dt fontFamily="mono" color="fg.muted" overflowWrap="anywhere">
                {name}
              </chakra.dt>
              <chakra.dd fontFamily="mono" overflowWrap="anywhere">
                {shown(now[name])}
              </chakra.dd>
            </Box>
          ))}
      </chakra.dl>
    </>
  )
}

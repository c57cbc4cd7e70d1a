import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { ChevronRight } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { wordDiff } from '#domain/flow/diff/word-diff.ts'
import type { Json } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import type { Outcome } from './test-query.ts'
import { messageText, waitOf } from './verdict-mark.tsx'

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

type Failure = Pick<Outcome, 'kind' | 'expected' | 'got' | 'more'>

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
export const Changed = ({ name, expected, came }: { name: string; expected: string; came: string }) => (
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

const State = ({ expected, got }: Failure) => {
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
export const FailureBody = ({ kind, expected, got, more = [] }: Failure) => {
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

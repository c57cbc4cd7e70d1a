import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { ArrowRight, TriangleAlert } from 'lucide-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { flowAddress } from '#web/entity/address.ts'
import { secondOf } from '#web/format/time.ts'
import type { Replay, Turn } from './conversation-query.ts'

const RouterLink = chakra(Link)

export interface BlockNames {
  titleOf(dialog: string, block: string): string
  revisionOf(dialog: string): number | undefined
}

interface TurnProps {
  readonly bot: string
  readonly turn: Turn
  readonly names: BlockNames
  readonly hasWords: boolean
  readonly current: boolean
  onChoose(): void
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const Bubble = ({ from, children }: { readonly from: 'bot' | 'user'; readonly children: React.ReactNode }) => (
  <Box
    alignSelf={from === 'bot' ? 'flex-start' : 'flex-end'}
    maxW="85%"
    px="3"
    py="2"
    borderRadius="lg"
    borderWidth="1px"
    fontSize="sm"
    whiteSpace="pre-wrap"
    overflowWrap="anywhere"
    {...(from === 'bot'
      ? { bg: 'bg.surface' }
      : { bg: 'bg.inverted', color: 'fg.inverted', borderColor: 'transparent' })}
  >
    {children}
  </Box>
)

const buttonsOf = (message: Turn['said'][number]): readonly string[] =>
  (Array.isArray(message.actions) ? message.actions : []).flatMap(action => {
    const title = text((action as { readonly title?: unknown }).title)
    return title === undefined ? [] : [title]
  })

/** What the bot said: its text, else its title, else its type; without the right to words, that it said something. */
const BotWords = ({ message, hasWords }: { readonly message: Turn['said'][number]; readonly hasWords: boolean }) => {
  const { t } = useTranslation('tool')
  const words = text(message.text) ?? text(message.title) ?? text(message.address) ?? text(message.type)
  const buttons = buttonsOf(message)
  return (
    <Bubble from="bot">
      {hasWords && words !== undefined ? words : <chakra.i color="fg.muted">{t('conversation.hidden')}</chakra.i>}
      {buttons.length === 0 ? null : (
        <HStack gap="1.5" mt="2" flexWrap="wrap">
          {buttons.map(title => (
            <chakra.span key={title} px="2" py="0.5" borderWidth="1px" borderRadius="full" fontSize="xs">
              {title}
            </chakra.span>
          ))}
        </HStack>
      )}
    </Bubble>
  )
}

/** The blocks of a turn in their order; each leads to the flow as it ran. */
const Way = ({ bot, turn, names }: Pick<TurnProps, 'bot' | 'turn' | 'names'>) => (
  <HStack gap="1" flexWrap="wrap" fontSize="xs" color="fg.muted">
    {turn.steps.map(({ dialog, block, frame, problem }, place) => {
      const at = names.revisionOf(dialog)
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same block may run twice, and a turn that happened never changes
        <Fragment key={`${frame} ${block} ${place}`}>
          {place === 0 ? null : <ArrowRight size={12} aria-hidden="true" />}
          <RouterLink
            to={flowAddress('dialog', dialog, { bot, block, ...(at === undefined ? {} : { at }) })}
            _hover={{ textDecoration: 'underline' }}
            color={problem === undefined ? undefined : 'warning.fg'}
          >
            {problem === undefined ? null : (
              <TriangleAlert size={12} aria-hidden="true" style={{ display: 'inline' }} />
            )}
            {names.titleOf(dialog, block)}
          </RouterLink>
        </Fragment>
      )
    })}
  </HStack>
)

/** One turn: what somebody said, where it led, and what the bot said to it. */
export const ReplayTurn = ({ bot, turn, names, hasWords, current, onChoose }: TurnProps) => {
  const { t } = useTranslation('tool')
  const said = text(turn.input.said?.text)
  const isSpoken = turn.input.kind === 'message'
  return (
    <Box
      as="li"
      data-turn={turn.turn}
      aria-current={current ? 'step' : undefined}
      px="4"
      py="3"
      borderInlineStartWidth="3px"
      borderInlineStartColor={current ? 'accent.solid' : 'transparent'}
      bg={current ? 'accent.subtle' : undefined}
    >
      <HStack justify="space-between" mb="2">
        <chakra.button
          type="button"
          onClick={onChoose}
          fontSize="xs"
          color="fg.muted"
          cursor="pointer"
          _hover={{ color: 'fg' }}
          fontVariantNumeric="tabular-nums"
        >
          {t('conversation.turn', { turn: turn.turn, time: secondOf(turn.time) })}
        </chakra.button>
        {turn.failed === null ? null : (
          <Text fontSize="xs" color="danger.fg">
            {t('conversation.failed')}
          </Text>
        )}
      </HStack>
      <Box display="flex" flexDirection="column" gap="2">
        {isSpoken ? (
          <Bubble from="user">{said ?? <i>{t('conversation.hidden')}</i>}</Bubble>
        ) : (
          <Text alignSelf="center" fontSize="xs" color="fg.muted">
            {t(`conversation.input.${turn.input.kind}`)}
          </Text>
        )}
        <Way bot={bot} turn={turn} names={names} />
        {turn.said.map((message, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was said never changes its place
          <BotWords key={place} message={message} hasWords={hasWords} />
        ))}
        {turn.ended === null ? null : (
          <Text alignSelf="center" fontSize="xs" color="fg.muted">
            {t(`conversation.reason.${String(turn.ended)}`)}
          </Text>
        )}
      </Box>
    </Box>
  )
}

/** Values by name after each turn up to one, and which of them that one wrote. */
export const valuesAfter = (turns: Replay['turns'], last: number) => {
  const values = new Map<string, unknown>()
  for (const { turn, wrote, dropped } of turns) {
    if (turn > last) break
    for (const name of dropped) values.delete(name)
    for (const [name, value] of Object.entries(wrote)) values.set(name, value)
  }
  const written = new Set(Object.keys(turns.find(({ turn }) => turn === last)?.wrote ?? {}))
  return [...values].map(([name, value]) => ({ name, value, isNew: written.has(name) }))
}

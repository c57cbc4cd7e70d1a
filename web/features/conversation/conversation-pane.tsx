import { Box, Button, chakra, HStack, Spacer, Text } from '@chakra-ui/react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { EyeOff, StepBack, StepForward, Waypoints } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { replayAddress } from '#web/entity/address.ts'
import { momentOf } from '#web/format/time.ts'
import { blockTitlesQuery, conversationQuery, type Replay, replayQuery } from './conversation-query.ts'
import { ForgetPerson } from './forget-person.tsx'
import { type BlockNames, ReplayTurn, valuesAfter } from './replay-turn.tsx'
import { StatusChip } from './status-chip.tsx'
import { signOf } from './visitor.ts'

const NONE: Replay['flows'] = []

/** What the blocks were called in the revisions that ran. */
const useBlockNames = (replay: Replay | undefined): BlockNames => {
  const walked = new Set(replay?.turns.flatMap(({ steps }) => steps.map(({ dialog }) => dialog)))
  const flows = (replay?.flows ?? NONE).filter(({ dialog }) => walked.has(dialog))
  const titles = useQueries({ queries: flows.map(({ dialog, revision }) => blockTitlesQuery(dialog, revision)) })
  const byDialog = new Map(flows.map(({ dialog }, place) => [dialog, titles[place]?.data]))
  return {
    titleOf: (dialog, block) => byDialog.get(dialog)?.[block] ?? block,
    revisionOf: dialog => flows.find(flow => flow.dialog === dialog)?.revision,
  }
}

const Values = ({ turns, at }: { readonly turns: Replay['turns']; readonly at: number }) => {
  const { t } = useTranslation('tool')
  const values = valuesAfter(turns, at)
  return (
    <Box as="section" borderTopWidth="1px" px="4" py="3" bg="bg.surface" maxH="35%" overflowY="auto" flex="none">
      <Text as="h3" textStyle="label" color="fg.muted" mb="1">
        {t('conversation.values', { turn: at })}
      </Text>
      {values.length === 0 ? (
        <Text textStyle="secondary" color="fg.muted">
          {t('conversation.novalues')}
        </Text>
      ) : (
        <chakra.dl display="grid" gridTemplateColumns="auto minmax(0, 1fr)" columnGap="4" rowGap="1" fontSize="xs">
          {values.map(({ name, value, isNew }) => (
            <chakra.div key={name} display="contents" data-new={isNew || undefined}>
              <chakra.dt fontFamily="mono" color="fg.muted">
                {name}
              </chakra.dt>
              <chakra.dd fontFamily="mono" overflowWrap="anywhere" fontWeight={isNew ? 'semibold' : undefined}>
                {JSON.stringify(value)} {isNew ? <chakra.em color="fg.muted">{t('conversation.new')}</chakra.em> : null}
              </chakra.dd>
            </chakra.div>
          ))}
        </chakra.dl>
      )}
    </Box>
  )
}

interface PlayerProps {
  readonly replay: Replay
  readonly names: BlockNames
}

/** The turns of a conversation, walked forward and back with the values as they were. */
const Player = ({ replay, names }: PlayerProps) => {
  const { t } = useTranslation('tool')
  const last = replay.turns.at(-1)?.turn ?? 0
  const [chosen, choose] = useState<number>()
  const at = chosen ?? last
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    list.current?.querySelector(`[data-turn="${at}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    <>
      {replay.words ? null : (
        <HStack px="4" py="2" gap="2" bg="bg.sunken" fontSize="xs" color="fg.muted" flex="none">
          <EyeOff size={14} aria-hidden="true" />
          {t('conversation.nowords')}
        </HStack>
      )}
      <chakra.ol
        ref={list}
        listStyleType="none"
        flex="1"
        minH="0"
        overflowY="auto"
        aria-label={t('conversation.turns')}
      >
        {replay.turns.map(turn => (
          <ReplayTurn
            key={turn.turn}
            bot={replay.bot}
            turn={turn}
            names={names}
            hasWords={replay.words}
            current={turn.turn === at}
            onChoose={() => choose(turn.turn)}
          />
        ))}
      </chakra.ol>
      <HStack px="4" py="2" borderTopWidth="1px" bg="bg.surface" gap="2" flex="none">
        <Button size="xs" disabled={at <= 1} onClick={() => choose(at - 1)}>
          <StepBack size={14} aria-hidden="true" />
          {t('conversation.back')}
        </Button>
        <Text fontSize="xs" fontVariantNumeric="tabular-nums" aria-live="polite">
          {t('conversation.place', { at, last })}
        </Text>
        <Button size="xs" disabled={at >= last} onClick={() => choose(at + 1)}>
          {t('conversation.forward')}
          <StepForward size={14} aria-hidden="true" />
        </Button>
      </HStack>
      <Values turns={replay.turns} at={at} />
    </>
  )
}

/** One conversation: who, where it stands, and what happened turn by turn. */
export const ConversationPane = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('tool')
  const { can } = useSession()
  const conversation = useQuery(conversationQuery(id))
  const replay = useQuery(replayQuery(id, conversation.data?.turns))
  const names = useBlockNames(replay.data)
  const error = conversation.error ?? replay.error
  if (error) return <ErrorState error={error} onRetry={() => void replay.refetch()} />
  if (conversation.data === undefined || replay.data === undefined) return <RowsSkeleton rows={4} />
  const { user, started, channeltype, release, status, reason } = conversation.data
  return (
    <Box
      as="section"
      aria-label={t('conversation.one')}
      display="flex"
      flexDirection="column"
      minH="0"
      h={{ base: '80dvh', lg: 'calc(100dvh - 190px)' }}
      borderWidth="1px"
      borderRadius="lg"
      overflow="hidden"
      bg="bg"
    >
      <Box px="4" py="3" borderBottomWidth="1px" bg="bg.surface" flex="none">
        <HStack gap="2" flexWrap="wrap">
          <Text as="h2" textStyle="card">
            {user?.name ?? t('conversation.visitor', { sign: signOf(conversation.data) })}
          </Text>
          <StatusChip status={status} reason={reason} />
          <Spacer />
          {user === null || !can('forgetconversation') ? null : <ForgetPerson id={id} name={user.name ?? user.id} />}
          <Button size="sm" asChild>
            <Link to={replayAddress(id)}>
              <Waypoints size={14} aria-hidden="true" />
              {t('conversation.seeflow')}
            </Link>
          </Button>
        </HStack>
        <Text textStyle="secondary" color="fg.muted">
          {t('conversation.head', { channel: channeltype, time: momentOf(started), release })}
        </Text>
      </Box>
      <Player replay={replay.data} names={names} />
    </Box>
  )
}

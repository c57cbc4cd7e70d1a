import { Box, Button, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { queryOptions } from '@tanstack/react-query'
import { Check, Lock, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { bot } from '#schemas/entities/bot.ts'
import { user } from '#schemas/entities/user.ts'
import { http } from '#web/api/http.ts'
import { Card } from '#web/components/card.tsx'
import { Chip } from '#web/components/chip.tsx'
import { FlowMiniature } from '#web/components/flow-miniature.tsx'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { flowAddress } from '#web/entity/address.ts'
import { inSentence, useEntityTextsReady, useLabel } from '#web/entity/label.ts'
import { listAddress } from '#web/entity/list/list-state.ts'
import { agoOf } from '#web/format/time.ts'
import { RouterLink } from '#web/page/router-link.ts'
import { TextLink } from '#web/page/text-link.ts'

type Home = AnswerOf<'GET /home'>
type HomeFlow = Home['flows'][number]
export type HomeChange = Home['changes'][number]
type HomeBots = NonNullable<Home['bots']>
type HomeEditing = Home['editing'][number]

export const homeQuery = queryOptions({
  queryKey: ['home'],
  queryFn: () => http.get('/home'),
  staleTime: 0,
  refetchInterval: 30_000,
})

interface NeedProps {
  readonly icon: ReactNode
  readonly title: string
  readonly text: string
  readonly action: string
  readonly to: string
}

const Need = ({ icon, title, text, action, to }: NeedProps) => {
  const navigate = useNavigate()
  return (
    <HStack as="li" gap="3" px="4" py="2.5" borderTopWidth="1px">
      <Box bg="warning.subtle" color="warning.fg" borderRadius="full" p="2" flex="none">
        {icon}
      </Box>
      <Box flex="1" minW="0">
        <Text textStyle="dense" fontWeight="semibold">
          {title}
        </Text>
        <Text textStyle="secondary" color="fg.muted" lineClamp={2}>
          {text}
        </Text>
      </Box>
      <Button onClick={() => void navigate(to)}>{action}</Button>
    </HStack>
  )
}

const pendingIn = (home: Home) => (home.bots?.items ?? []).filter(bot => bot.runningstatus === 'pending')

/** Number of tasks for this person. */
export const needsOf = (home: Home): number => ((home.locked ?? []).length > 0 ? 1 : 0) + pendingIn(home).length

/** Tasks for this person: locked-out people, bots that do not start. */
export const AttentionCard = ({ home }: { readonly home: Home }) => {
  const { t } = useTranslation('shell')
  const locked = home.locked ?? []
  const pending = pendingIn(home)
  const total = needsOf(home)
  return (
    <Card title={t('home.needs')} beside={total > 0 ? <Chip tone="danger">{total}</Chip> : null}>
      <Box as="ul" listStyleType="none">
        {locked.length > 0 ? (
          <Need
            icon={<Lock size={15} aria-hidden="true" />}
            title={t('home.locked', { count: locked.length })}
            text={locked.map(person => person.username ?? nameOf(person)).join(', ')}
            action={t('show')}
            to={locked.length === 1 && locked[0] ? `/user/${locked[0].id}` : listAddress(user, { locked: 'true' })}
          />
        ) : null}
        {pending.map(bot => (
          <Need
            key={bot.id}
            icon={<TriangleAlert size={15} aria-hidden="true" />}
            title={t('home.pending', { name: bot.name ?? '' })}
            text={t('home.pendingtext')}
            action={t('open')}
            to={`/bot/${bot.id}`}
          />
        ))}
      </Box>
      {total === 0 ? (
        <HStack px="4" pb="4" gap="2" color="fg.muted" textStyle="dense">
          <Check size={16} aria-hidden="true" />
          {t('home.nothingneeded')}
        </HStack>
      ) : null}
    </Card>
  )
}

const STATUSES = ['running', 'started', 'pending', 'stopped'] as const
const COLORS = {
  running: 'positive.solid',
  started: 'info.solid',
  pending: 'warning.solid',
  stopped: 'border.emphasized',
} as const

interface StatusBarProps {
  readonly bots: HomeBots
  readonly shown: readonly (typeof STATUSES)[number][]
}

const StatusBar = ({ bots, shown }: StatusBarProps) => (
  <HStack gap="2px" h="8px" borderRadius="full" overflow="hidden" aria-hidden="true">
    {shown.map(status => (
      <Box
        key={status}
        h="100%"
        bg={COLORS[status]}
        {...(status === 'pending'
          ? {
              backgroundImage:
                'repeating-linear-gradient(135deg, {colors.warning.solid} 0 4px, {colors.warning.emphasized} 4px 8px)',
            }
          : {})}
        style={{ flexGrow: bots.status[status] ?? 0 }}
      />
    ))}
  </HStack>
)

/** Number of bots per status; each number links to its list. */
export const BotsCard = ({ bots }: { readonly bots: HomeBots }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const ready = useEntityTextsReady(['bot'])
  const shown = STATUSES.filter(status => ready && (bots.status[status] ?? 0) > 0)
  return (
    <Card
      title={label.plural('bot')}
      beside={
        <TextLink to="/bot/search" ms="auto" textStyle="secondary" _hover={{ textDecoration: 'underline' }}>
          {t('home.openlist')}
        </TextLink>
      }
    >
      <Box px="4" pb="4">
        <SimpleGrid columns={Math.max(1, shown.length)} gap="2" mb="3">
          {shown.map(status => (
            <RouterLink
              key={status}
              to={listAddress(bot, { runningstatus: status })}
              borderRadius="md"
              focusVisibleRing="outside"
              _hover={{ bg: 'bg.subtle' }}
            >
              <Text fontSize="2xl" fontWeight="semibold" lineHeight="32px">
                {bots.status[status]}
              </Text>
              <HStack gap="1.5" textStyle="secondary" color="fg.muted">
                <Box boxSize="2" borderRadius={status === 'stopped' ? '1px' : 'full'} bg={COLORS[status]} />
                {t(`home.status.${status}`, { count: bots.status[status] })}
              </HStack>
            </RouterLink>
          ))}
        </SimpleGrid>
        <StatusBar bots={bots} shown={shown} />
        {bots.total === 0 ? (
          <Text textStyle="dense" color="fg.muted">
            {t('list.empty', { name: inSentence(label.plural('bot')) })}
          </Text>
        ) : null}
      </Box>
    </Card>
  )
}

/** People in each flow now. */
export const EditingCard = ({ editing }: { readonly editing: readonly HomeEditing[] }) => {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  return (
    <Card title={t('home.editing')} beside={<Chip>{editing.reduce((sum, { people }) => sum + people.length, 0)}</Chip>}>
      <Box as="ul" listStyleType="none">
        {editing.flatMap(flow =>
          flow.people.map(person => (
            <HStack as="li" key={`${flow.id}${person.user}`} gap="3" px="4" py="2.5" borderTopWidth="1px">
              <PersonAvatar person={{ id: person.user, username: person.name }} size={30} />
              <Box flex="1" minW="0">
                <Text textStyle="dense" fontWeight="semibold" truncate>
                  {person.name}
                </Text>
                <Text textStyle="secondary" color="fg.muted" truncate>
                  {flow.name}
                </Text>
              </Box>
              <Button onClick={() => void navigate(flowAddress(flow.entity, flow.id))}>{t('home.join')}</Button>
            </HStack>
          )),
        )}
      </Box>
    </Card>
  )
}

interface Props {
  readonly flow: HomeFlow
  readonly editing: HomeEditing | undefined
}

/** A flow one worked on, seen from far, with who is in it now. */
export const FlowCard = ({ flow, editing }: Props) => {
  const { t } = useTranslation('shell')
  const bot = flow.parents.find(parent => parent.entity === 'bot')
  const last = flow.card?.editors[0]
  return (
    <RouterLink
      to={flowAddress(flow.entity, flow.id, { bot: bot?.id })}
      display="block"
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="lg"
      overflow="hidden"
      transition="border-color 90ms"
      _hover={{ borderColor: 'border.emphasized' }}
      focusVisibleRing="outside"
    >
      <Box position="relative" borderBottomWidth="1px">
        <FlowMiniature blocks={flow.card?.miniature ?? []} />
        <HStack position="absolute" left="3" bottom="2" gap="0">
          {editing?.people.slice(0, 4).map(person => (
            <Box key={person.user} me="-1">
              <PersonAvatar person={{ id: person.user, username: person.name }} ring />
            </Box>
          ))}
        </HStack>
      </Box>
      <Box px="3" py="2.5">
        <HStack justify="space-between" gap="2">
          <Text textStyle="card" truncate>
            {flow.name}
          </Text>
          <Text textStyle="secondary" color="fg.muted" whiteSpace="nowrap">
            {t('home.blocks', { count: flow.card?.blocks ?? 0 })}
          </Text>
        </HStack>
        <Text textStyle="secondary" color="fg.muted" truncate>
          {flow.parents.map(parent => parent.name).join(' · ')}
        </Text>
        <Text textStyle="secondary" color="fg.subtle" mt="1">
          {last ? `${nameOf(last.person)}, ${agoOf(last.time)}` : ''}
        </Text>
      </Box>
    </RouterLink>
  )
}

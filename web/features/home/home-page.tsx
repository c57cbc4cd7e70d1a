import { Box, Button, Flex, HStack, SimpleGrid, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Bot, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { nameOf } from '#web/components/person-avatar.tsx'
import { Segments } from '#web/components/segments.tsx'
import { ChangeLine } from '#web/entity/history/history-entry.tsx'
import { LiveCard } from '#web/features/insight/index.ts'
import { useFirstDialog } from '#web/features/publish/index.ts'
import { longDayOf } from '#web/format/time.ts'
import { Page } from '#web/page/page.tsx'
import { FirstBotDialog } from './first-bot-dialog.tsx'
import { FirstSteps } from './first-steps.tsx'
import { AttentionCard, BotsCard, EditingCard, FlowCard } from './home-aside.tsx'
import { type HomeChange, homeQuery } from './home-query.ts'
import { SampleCard } from './sample-card.tsx'

/** The first step of someone who has nothing yet. */
const Welcome = () => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const navigate = useNavigate()
  const make = useFirstDialog()?.make
  const [isAsked, ask] = useState(false)
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
      {isAsked && make ? <FirstBotDialog make={make} onClose={() => ask(false)} /> : null}
      <EmptyState icon={Bot} title={t('home.empty')} text={t('home.emptytext')}>
        {can('createbot') ? (
          <Button variant="solid" onClick={() => (make ? ask(true) : void navigate('/bot/new'))}>
            <Plus size={16} aria-hidden="true" />
            {t('home.first')}
          </Button>
        ) : null}
      </EmptyState>
    </Box>
  )
}

const FLOWS = new Set(['flow', 'dialog', 'handler'])
const PEOPLE = new Set(['user', 'usergroup', 'role', 'hierarchy'])
const KINDS = ['all', 'flows', 'settings', 'people'] as const
type Kind = (typeof KINDS)[number]

const isOf = (kind: Kind, { entity }: HomeChange) =>
  kind === 'all' ||
  (kind === 'flows'
    ? FLOWS.has(entity)
    : kind === 'people'
      ? PEOPLE.has(entity)
      : !FLOWS.has(entity) && !PEOPLE.has(entity))

/** Latest changes in this level and below, by kind. */
const RecentChanges = ({ changes }: { readonly changes: readonly HomeChange[] }) => {
  const { t } = useTranslation('shell')
  const [kind, setKind] = useState<Kind>('all')
  const shown = changes.filter(change => isOf(kind, change))
  return (
    <Box as="section" bg="bg.surface" borderWidth="1px" borderRadius="lg" aria-label={t('home.changes')}>
      <HStack px="4" py="2.5" justify="space-between" flexWrap="wrap">
        <Text as="h2" textStyle="card">
          {t('home.changes')}
        </Text>
        <Segments<Kind>
          label={t('home.changes')}
          value={kind}
          onChange={setKind}
          options={KINDS.map(value => ({ value, label: t(`home.kind.${value}`) }))}
        />
      </HStack>
      {shown.length === 0 ? (
        <EmptyState small title={t('list.nothing')} />
      ) : (
        <Box as="ul" listStyleType="none">
          {shown.map(change => (
            <ChangeLine key={`${change.entity}${change.entityid}${change.revision}${change.time}`} change={change} />
          ))}
        </Box>
      )}
    </Box>
  )
}

/** No longer than the screen: there is nothing that one could scroll to, by keyboard least of all. */
const Waiting = () => (
  <Flex gap="5" direction={{ base: 'column', xl: 'row' }} maxH="calc(100dvh - 240px)" overflow="hidden">
    <Box flex="1">
      <SimpleGrid columns={{ base: 1, md: 3 }} gap="4" mb="4">
        <Skeleton h="220px" borderRadius="lg" />
        <Skeleton h="220px" borderRadius="lg" hideBelow="md" />
        <Skeleton h="220px" borderRadius="lg" hideBelow="md" />
      </SimpleGrid>
      <Skeleton h="360px" borderRadius="lg" />
    </Box>
    <Skeleton w={{ base: '100%', xl: '364px' }} h="300px" borderRadius="lg" />
  </Flex>
)

/** /: recent work, activity and open tasks. */
export const HomePage = () => {
  const { t } = useTranslation(['shell', 'entity', 'history'])
  const { user } = useSession()
  const query = useQuery(homeQuery)
  const home = query.data
  const flows = home?.flows ?? []
  const changes = home?.changes ?? []
  const empty = home !== undefined && flows.length === 0 && (changes.length === 0 || home.bots?.total === 0)
  return (
    <Page
      title={empty ? t('home.welcome', { name: nameOf(user).split(' ')[0] }) : t('home.title')}
      trail={false}
      purpose={longDayOf(new Date().toISOString())}
    >
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : home === undefined ? (
        <Waiting />
      ) : (
        <Flex gap="5" direction={{ base: 'column', xl: 'row' }} align="flex-start">
          <Stack flex="1" minW="0" w="100%" gap="4">
            <SampleCard when="busy" />
            {empty ? <Welcome /> : <FirstSteps />}
            {home.live ? <LiveCard live={home.live} /> : null}
            {flows.length > 0 ? (
              <SimpleGrid columns={{ base: 1, md: 3 }} gap="4">
                {flows.map(flow => (
                  <FlowCard key={flow.id} flow={flow} editing={home.editing?.find(one => one.id === flow.id)} />
                ))}
              </SimpleGrid>
            ) : null}
            {changes.length > 0 ? <RecentChanges changes={changes} /> : null}
          </Stack>
          <Stack w={{ base: '100%', xl: '364px' }} flex="none" gap="4">
            <SampleCard when="made" />
            <AttentionCard home={home} />
            {home.bots ? <BotsCard bots={home.bots} /> : null}
            {home.editing && home.editing.length > 0 ? <EditingCard editing={home.editing} /> : null}
            {home.bots === undefined && flows.length === 0 ? (
              <Text textStyle="dense" color="fg.muted">
                {t('home.nothingallowed')}
              </Text>
            ) : null}
          </Stack>
        </Flex>
      )}
    </Page>
  )
}

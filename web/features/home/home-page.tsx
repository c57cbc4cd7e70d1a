import { Box, Flex, SimpleGrid, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { ErrorState } from '#web/components/error-state.tsx'
import { nameOf } from '#web/components/person-avatar.tsx'
import { longDayOf } from '#web/format/time.ts'
import { Page } from '#web/page/page.tsx'
import { FirstSteps } from './first-steps.tsx'
import { FlowCard } from './flow-card.tsx'
import { BotsCard, EditingCard, NeedsCard } from './home-aside.tsx'
import { homeQuery } from './home-query.ts'
import { RecentChanges } from './recent-changes.tsx'
import { Welcome } from './welcome.tsx'

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
            {empty ? <Welcome /> : <FirstSteps />}
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
            <NeedsCard home={home} />
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

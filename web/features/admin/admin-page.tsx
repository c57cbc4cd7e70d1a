import { Box, chakra, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Globe, KeyRound, type LucideIcon, Network, Newspaper, User, Users } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { api } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import { useLabel } from '#web/entity/label.ts'
import { Page } from '#web/page/page.tsx'

const RouterLink = chakra(Link)

export interface Part {
  readonly entity: string
  readonly to: string
  readonly icon: LucideIcon
}

const PartCard = ({ entity, to, icon: Glyph }: Part) => {
  const label = useLabel()
  const total = useQuery({
    queryKey: [entity, 'count'],
    queryFn: async () => (await api.get<{ total: number }>(`/${entity}`, { size: 1 })).total,
  }).data
  return (
    <RouterLink
      to={to}
      display="block"
      p="4"
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="lg"
      _hover={{ borderColor: 'border.emphasized', bg: 'bg.subtle' }}
      focusVisibleRing="outside"
    >
      <HStack gap="3" mb="2">
        <Box boxSize="34px" display="grid" placeItems="center" borderRadius="md" bg="bg.sunken" color="fg.muted">
          <Glyph size={17} strokeWidth={1.75} aria-hidden="true" />
        </Box>
        <Text textStyle="title" flex="1">
          {label.plural(entity)}
        </Text>
        <Text textStyle="page" color="fg.muted" fontVariantNumeric="tabular-nums">
          {total}
        </Text>
      </HStack>
      <Text textStyle="dense" color="fg.muted">
        {label.purpose(entity)}
      </Text>
    </RouterLink>
  )
}

/** A page of ways on: each part with what it is for and how many there are. */
export const PartsPage = ({ title, purpose, parts }: { title: string; purpose: string; parts: readonly Part[] }) => {
  const { can } = useSession()
  return (
    <Page title={title} purpose={purpose} width={1280}>
      <SimpleGrid gap="4" columns={{ base: 1, md: 2, xl: 3 }}>
        {parts
          .filter(part => can(`read${part.entity}`))
          .map(part => (
            <PartCard key={part.entity} {...part} />
          ))}
      </SimpleGrid>
    </Page>
  )
}

const PARTS: readonly Part[] = [
  { entity: 'user', to: '/user/search', icon: User },
  { entity: 'usergroup', to: '/usergroup/search', icon: Users },
  { entity: 'role', to: '/role/search', icon: KeyRound },
  { entity: 'hierarchy', to: '/hierarchy', icon: Network },
]

const SETTINGS: readonly Part[] = [
  { entity: 'globalvariable', to: '/globalvariable/search', icon: Globe },
  { entity: 'releasenote', to: '/releasenote/search', icon: Newspaper },
]

/** /admin */
export const AdminPage = () => {
  const { t } = useTranslation('shell')
  return <PartsPage title={t('menu.admin')} purpose={t('admin.text')} parts={PARTS} />
}

/** /appsettings/search */
export const AppSettingsPage = () => {
  const { t } = useTranslation('shell')
  return <PartsPage title={t('menu.appsettings')} purpose={t('appsettings.text')} parts={SETTINGS} />
}

import { Box, Button, HStack, SimpleGrid, Stack, Text } from '@chakra-ui/react'
import {
  ArrowRight,
  Bot,
  FileJson,
  History,
  Link2,
  type LucideIcon,
  MessagesSquare,
  Newspaper,
  PackageCheck,
  RefreshCw,
  ScanSearch,
} from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { Page } from '#web/page/page.tsx'
import { RouterLink } from '#web/page/router-link.ts'

interface Idea {
  /** Translation key under `tool:inspire.idea`. */
  readonly key: string
  readonly icon: LucideIcon
  readonly to: string
  /** Without this permission it leads nowhere. */
  readonly needs?: string
}

const path = (expression: string, input: object) =>
  `/tools/jsonpathonline?parsertype=jsonata#${new URLSearchParams({ expression, input: JSON.stringify(input, null, 2) })}`

const IDEAS: readonly Idea[] = [
  { key: 'bot', icon: Bot, to: '/bot/new', needs: 'createbot' },
  { key: 'message', icon: MessagesSquare, to: '/localemessage/new', needs: 'createlocalemessage' },
  { key: 'version', icon: PackageCheck, to: '/version/search', needs: 'readversion' },
  {
    key: 'path',
    icon: FileJson,
    to: path('$sum(basket.(price * count))', {
      basket: [
        { price: 4.5, count: 2 },
        { price: 12, count: 1 },
      ],
    }),
  },
  { key: 'link', icon: Link2, to: '/tinyurlmapping/new', needs: 'createtinyurlmapping' },
  { key: 'search', icon: ScanSearch, to: '/sitesearchindex/new', needs: 'createsitesearchindex' },
  { key: 'news', icon: Newspaper, to: '/releasenote/search', needs: 'readreleasenote' },
  { key: 'past', icon: History, to: '/audit', needs: 'readaudit' },
]

const DAY_MS = 86_400_000

/** The same idea all day, another one tomorrow. */
const ofToday = (ideas: readonly Idea[]): number => Math.floor(Date.now() / DAY_MS) % Math.max(1, ideas.length)

const Today = ({ ideas }: { readonly ideas: readonly Idea[] }) => {
  const { t } = useTranslation('tool')
  const [at, setAt] = useState(() => ofToday(ideas))
  const idea = ideas[at % ideas.length]
  if (idea === undefined) return null
  return (
    <Box
      as="section"
      aria-label={t('inspire.today')}
      borderWidth="1px"
      borderRadius="lg"
      bg="bg.surface"
      p={{ base: '5', md: '8' }}
    >
      <Text textStyle="label" color="fg.muted" mb="2">
        {t('inspire.today')}
      </Text>
      <Box aria-live="polite">
        <HStack gap="3" mb="1.5" align="flex-start">
          <Box pt="1" color="fg.muted">
            <idea.icon size={20} strokeWidth={1.75} aria-hidden="true" />
          </Box>
          <Text as="h2" fontSize="2xl" fontWeight="semibold" lineHeight="1.3">
            {t(`inspire.idea.${idea.key}.title`)}
          </Text>
        </HStack>
        <Text color="fg.muted" maxW="640px" mb="5">
          {t(`inspire.idea.${idea.key}.text`)}
        </Text>
      </Box>
      <HStack gap="2" flexWrap="wrap">
        <Button variant="solid" asChild>
          <Link to={idea.to}>
            {t(`inspire.idea.${idea.key}.go`)}
            <ArrowRight size={15} aria-hidden="true" />
          </Link>
        </Button>
        {ideas.length > 1 ? (
          <Button onClick={() => setAt(at + 1)}>
            <RefreshCw size={15} aria-hidden="true" />
            {t('inspire.another')}
          </Button>
        ) : null}
      </HStack>
    </Box>
  )
}

const Card = ({ idea }: { readonly idea: Idea }) => {
  const { t } = useTranslation('tool')
  return (
    <RouterLink
      to={idea.to}
      display="block"
      p="4"
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="lg"
      _hover={{ borderColor: 'border.emphasized', bg: 'bg.subtle' }}
      focusVisibleRing="outside"
    >
      <HStack gap="3" mb="1.5">
        <Box color="fg.muted">
          <idea.icon size={17} strokeWidth={1.75} aria-hidden="true" />
        </Box>
        <Text textStyle="card">{t(`inspire.idea.${idea.key}.title`)}</Text>
      </HStack>
      <Text textStyle="dense" color="fg.muted">
        {t(`inspire.idea.${idea.key}.text`)}
      </Text>
    </RouterLink>
  )
}

/** /inspire: one thing to try today, and more to begin from. */
export const InspirePage = () => {
  const { t } = useTranslation('tool')
  const { can } = useSession()
  const ideas = IDEAS.filter(({ needs }) => needs === undefined || can(needs))
  return (
    <Page title={t('inspire.title')} purpose={t('purpose.inspire')} width={1080}>
      <Stack gap="6" pb="4">
        <Today ideas={ideas} />
        <Box as="section" aria-label={t('inspire.more')}>
          <Text as="h2" textStyle="label" color="fg.muted" mb="3">
            {t('inspire.more')}
          </Text>
          <SimpleGrid columns={{ base: 1, md: 2, xl: 3 }} gap="4">
            {ideas.map(idea => (
              <Card key={idea.key} idea={idea} />
            ))}
          </SimpleGrid>
        </Box>
      </Stack>
    </Page>
  )
}

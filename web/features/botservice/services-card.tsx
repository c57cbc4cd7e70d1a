import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useEntityTexts } from '#web/entity/label.ts'
import { RunningServicesChip } from './running-services-chip.tsx'
import { servicesQuery } from './service-query.ts'
import { ServiceTable } from './service-table.tsx'

const RouterLink = chakra(Link)

/** The services of a bot on its overview; nothing while it has none. */
export const ServicesCard = ({ bot }: { readonly bot: string }) => {
  const { t } = useTranslation('operation')
  useEntityTexts(['botservice'])
  const { data } = useQuery(servicesQuery(bot))
  if (data === undefined || data.items.length === 0) return null
  return (
    <Box as="section" aria-label={t('services')} bg="bg.surface" borderWidth="1px" borderRadius="lg" overflow="hidden">
      <HStack px="4" minH="46px" gap="3">
        <Text as="h2" textStyle="card" flex="1">
          {t('services')}
        </Text>
        <RunningServicesChip services={data} />
        <RouterLink
          to={`/bot/botservice/${bot}`}
          textStyle="secondary"
          color="accent.fg"
          borderRadius="xs"
          focusVisibleRing="outside"
          _hover={{ textDecoration: 'underline' }}
        >
          {t('open')}
        </RouterLink>
      </HStack>
      <ServiceTable bot={bot} items={data.items} />
    </Box>
  )
}

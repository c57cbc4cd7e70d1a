import { Box, chakra, HStack, Stack, Text } from '@chakra-ui/react'
import { PlugZap } from 'lucide-react'
import { useTranslation } from 'react-i18next'

const STEPS = ['embedding', 'settings', 'publish'] as const

/** Why no report can be shown, and how that is changed. */
export const NotSetUp = ({ missing }: { readonly missing: readonly string[] }) => {
  const { t } = useTranslation('tool')
  return (
    <Box as="section" borderWidth="1px" borderRadius="lg" bg="bg.surface" p={{ base: '4', md: '6' }} maxW="720px">
      <HStack gap="3" mb="2">
        <Box boxSize="34px" display="grid" placeItems="center" borderRadius="md" bg="bg.sunken" color="fg.muted">
          <PlugZap size={17} strokeWidth={1.75} aria-hidden="true" />
        </Box>
        <Text as="h2" textStyle="title">
          {t('reports.setup.title')}
        </Text>
      </HStack>
      <Text textStyle="dense" color="fg.muted" mb="3">
        {t('reports.setup.text')}
      </Text>
      <Stack as="ol" gap="2" ps="5" listStyleType="decimal" textStyle="dense" mb="3">
        {STEPS.map(step => (
          <li key={step}>{t(`reports.setup.${step}`)}</li>
        ))}
      </Stack>
      <Text textStyle="secondary" color="fg.muted">
        {t('reports.setup.missing')}{' '}
        {missing.map((name, at) => (
          <span key={name}>
            {at > 0 ? ', ' : ''}
            <chakra.code textStyle="code">{name}</chakra.code>
          </span>
        ))}
      </Text>
    </Box>
  )
}

import { Box, Flex, HStack, Skeleton, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { useInstance } from '#web/api/early-read.ts'
import { DesignerSkeleton, PageSkeleton, useSkeletonDelay } from '#web/components/page-skeleton.tsx'
import { themeOf } from '#web/theme/instance-theme.ts'
import { useElapsed } from '#web/timer.ts'

const LOOK = {
  solid: { h: '4px', bg: 'accent.solid' },
  hatch: {
    h: '6px',
    background: 'repeating-linear-gradient(135deg, {colors.accent.solid} 0 8px, {colors.accent.emphasized} 8px 14px)',
  },
  dash: {
    h: '6px',
    background: 'repeating-linear-gradient(90deg, {colors.accent.solid} 0 14px, transparent 14px 22px)',
  },
}

/** The line above every page: colour and pattern of the instance. */
export const EnvironmentBar = () => {
  const { theme } = useInstance()
  return <Box flex="none" aria-hidden="true" {...LOOK[themeOf(theme).bar]} />
}

/** A page that comes sooner needs no word. */
const PATIENCE_MS = 1000

/** Says that a page is on its way. It takes no focus: the page before can still be used. */
export const PageLoadingNotice = () => {
  const { t } = useTranslation('shell')
  const isLate = useElapsed(PATIENCE_MS)
  if (!isLate) return null
  return (
    <Box
      role="dialog"
      aria-label={t('standby')}
      position="fixed"
      top="72px"
      left="50%"
      translate="-50% 0"
      zIndex="toast"
      px="4"
      py="2.5"
      borderWidth="1px"
      borderRadius="lg"
      bg="bg.raised"
      boxShadow="overlay"
      pointerEvents="none"
    >
      <Text role="status" textStyle="dense" fontWeight="semibold" _firstLetter={{ textTransform: 'uppercase' }}>
        {t('standby')}
      </Text>
    </Box>
  )
}

const ENTRIES = ['72%', '54%', '80%', '62%', '48%']

const Frame = () => (
  <>
    <HStack flex="none" h="52px" px="4" gap="3" bg="bg.surface" borderBottomWidth="1px">
      <Skeleton boxSize="24px" borderRadius="md" />
      <Skeleton h="12px" w="64px" />
      <Box flex="1" />
      <Skeleton boxSize="28px" borderRadius="full" />
    </HStack>
    <Flex flex="1" minH="0">
      <Box w="drawer" flex="none" borderRightWidth="1px" p="4" hideBelow="lg">
        {ENTRIES.map(width => (
          <Skeleton key={width} h="12px" mb="5" style={{ width }} />
        ))}
      </Box>
      <Box flex="1" minW="0">
        <PageSkeleton />
      </Box>
    </Flex>
  </>
)

/** The shell's likely layout while the session and the first page's code come. */
export const ShellSkeleton = ({ bare = false }: { readonly bare?: boolean }) => {
  const late = useSkeletonDelay()
  return (
    <Flex direction="column" h="100dvh" overflow="hidden" aria-busy="true">
      <EnvironmentBar />
      <PageLoadingNotice />
      {bare ? <DesignerSkeleton /> : late ? <Frame /> : null}
    </Flex>
  )
}

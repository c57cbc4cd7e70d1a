import { Box, chakra, Flex, HStack, Text } from '@chakra-ui/react'
import { Monitor, Moon, Sun } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useInstance } from '#web/api/early-read.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { InstanceBadge } from '#web/components/instance-badge.tsx'
import { Mark } from '#web/components/mark.tsx'
import { LanguageMenu } from '#web/shell/language-menu.tsx'
import { EnvironmentBar } from '#web/shell/shell-skeleton.tsx'
import { useInstanceTab, usePageTitle } from '#web/shell/use-instance-tab.ts'
import { COLOR_MODES, chooseColorMode, useColorMode } from '#web/theme/color-mode.ts'
import { Miniature } from './miniature.tsx'

const MODE_ICONS = { light: Sun, dark: Moon, system: Monitor }

const Foot = () => {
  const { t } = useTranslation('shell')
  const { version } = useInstance()
  const { mode } = useColorMode()
  const Glyph = MODE_ICONS[mode]
  return (
    <HStack as="footer" gap="1" color="fg.muted" fontSize="xs">
      <LanguageMenu long />
      <ActionMenu
        label={t('theme.title')}
        align="start"
        actions={COLOR_MODES.map(one => ({
          id: one,
          label: t(`theme.${one}`),
          icon: MODE_ICONS[one],
          checked: one === mode,
          run: () => chooseColorMode(one),
        }))}
      >
        <chakra.button
          type="button"
          display="inline-flex"
          alignItems="center"
          gap="1.5"
          h="8"
          px="2"
          borderRadius="md"
          cursor="pointer"
          _hover={{ color: 'fg' }}
          focusVisibleRing="outside"
          fontWeight="semibold"
          fontSize="sm"
        >
          <Glyph size={16} strokeWidth={1.75} aria-hidden="true" />
          {t(`theme.${mode}`)}
        </chakra.button>
      </ActionMenu>
      <Box flex="1" />
      {version ? <span>V {version}</span> : null}
    </HStack>
  )
}

interface Props {
  /** Of the browser's tab. */
  readonly title: string
  readonly heading: string
  readonly lead: string
  readonly children: ReactNode
}

/** A page that needs no session. */
export const SignInFrame = ({ title, heading, lead, children }: Props) => {
  usePageTitle(title)
  useInstanceTab()
  return (
    <Flex direction="column" minH="100dvh" bg="bg.surface">
      <EnvironmentBar />
      <Flex flex="1">
        <Flex
          as="main"
          direction="column"
          w={{ base: '100%', lg: '520px' }}
          flex="none"
          px={{ base: '6', md: '22' }}
          pt={{ base: '5', md: '8' }}
          pb={{ base: '3', md: '6' }}
          bg="bg.surface"
        >
          <HStack w="100%" maxW="346px" mx="auto" justify="space-between">
            <HStack gap="2">
              <Mark size={29} />
              <Text fontSize="18px" fontWeight="semibold" letterSpacing="-0.2px">
                Parley
              </Text>
            </HStack>
            <InstanceBadge />
          </HStack>
          <Box w="100%" maxW="346px" mx="auto" my="auto" py="8">
            <Text as="h1" textStyle="display">
              {heading}
            </Text>
            <Text color="fg.muted" mb="6">
              {lead}
            </Text>
            {children}
          </Box>
          <Box w="100%" maxW="346px" mx="auto">
            <Foot />
          </Box>
        </Flex>
        <Miniature />
      </Flex>
    </Flex>
  )
}

import { Box, chakra, Stack, Text } from '@chakra-ui/react'
import { Inbox, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { help } from '#web/help/help-state.ts'

interface Props {
  readonly icon?: LucideIcon
  readonly title: string
  /** One sentence: its purpose. */
  readonly text?: string
  readonly small?: boolean
  /** A link to the help of the page. */
  readonly hasHelp?: boolean
  /** One action. */
  readonly children?: ReactNode
}

const HelpLink = () => {
  const { t } = useTranslation('shell')
  return (
    <chakra.button
      type="button"
      mt="3"
      px="1"
      textStyle="dense"
      color="accent.fg"
      textDecoration="underline"
      cursor="pointer"
      borderRadius="xs"
      focusVisibleRing="outside"
      onClick={() => help.open()}
    >
      {t('help.how')}
    </chakra.button>
  )
}

/** Empty list: its purpose, one action, and the help of the page. */
export const EmptyState = ({ icon: Glyph = Inbox, title, text, small = false, hasHelp = !small, children }: Props) => (
  <Stack align="center" gap="1" textAlign="center" px="5" py={small ? '6' : '12'}>
    <Box
      p={small ? '2.5' : '3.5'}
      mb="2"
      borderRadius="lg"
      borderWidth="1px"
      borderStyle="dashed"
      borderColor="border.emphasized"
      color="fg.muted"
      backgroundImage="radial-gradient({colors.canvas.dot} 1px, transparent 1px)"
      backgroundSize="6px 6px"
    >
      <Glyph size={small ? 18 : 22} strokeWidth={1.75} aria-hidden="true" />
    </Box>
    <Text textStyle={small ? 'card' : 'title'}>{title}</Text>
    {text ? (
      <Text textStyle="dense" color="fg.muted" maxW="340px">
        {text}
      </Text>
    ) : null}
    {children ? <Box mt="3">{children}</Box> : null}
    {hasHelp ? <HelpLink /> : null}
  </Stack>
)

import { Box, Stack, Text } from '@chakra-ui/react'
import { Inbox, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface Props {
  readonly icon?: LucideIcon
  readonly title: string
  /** One sentence: its purpose. */
  readonly text?: string
  readonly small?: boolean
  /** One action. */
  readonly children?: ReactNode
}

/** Empty list: its purpose, then one action. */
export const EmptyState = ({ icon: Glyph = Inbox, title, text, small = false, children }: Props) => (
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
  </Stack>
)

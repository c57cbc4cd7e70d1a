import { Box, HStack, Text } from '@chakra-ui/react'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface Props {
  readonly title: string
  /** Right of the title. */
  readonly beside?: ReactNode
  readonly children: ReactNode
}

/** One part of a page. */
export const Card = ({ title, beside, children }: Props) => (
  <Box
    as="section"
    aria-label={title}
    bg="bg.surface"
    borderWidth="1px"
    borderRadius="lg"
    overflow="hidden"
    display="flex"
    flexDirection="column"
    minW="0"
  >
    <HStack px="4" py="1.5" minH="46px" gap="3" rowGap="1" flexWrap="wrap">
      <Text as="h2" textStyle="card" flex="1" py="1">
        {title}
      </Text>
      {beside === undefined ? null : (
        <HStack gap="1.5" flexWrap="wrap" maxW="100%">
          {beside}
        </HStack>
      )}
    </HStack>
    {children}
  </Box>
)

/** A label and its value, a line of a list of facts in a card. */
export const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <HStack as="div" gap="4" px="4" minH="9" justify="space-between" borderTopWidth="1px" textStyle="dense">
    <Text as="dt" color="fg.muted">
      {label}
    </Text>
    <Box as="dd" textAlign="end" minW="0" overflowWrap="anywhere" fontVariantNumeric="tabular-nums">
      {children}
    </Box>
  </HStack>
)

interface StatusCardProps {
  readonly role: 'status' | 'alert'
  readonly tone: string
  readonly icon: LucideIcon
  readonly title: ReactNode
  readonly lines: readonly string[]
  /** As wide as the page, for a form that is. */
  readonly isWide?: boolean
}

/** A state with its icon, and the facts below it. */
export const StatusCard = ({ role, tone, icon: Icon, title, lines, isWide = false }: StatusCardProps) => (
  <HStack
    role={role}
    align="start"
    gap="3"
    mb="4"
    p="3"
    borderWidth="1px"
    borderRadius="lg"
    bg="bg.surface"
    {...(isWide ? {} : { maxW: '960px' })}
    colorPalette={tone}
  >
    <Box color="colorPalette.fg" pt="0.5" flex="none">
      <Icon size={17} aria-hidden="true" />
    </Box>
    <Box minW="0">
      <Text textStyle="dense" fontWeight="semibold">
        {title}
      </Text>
      {lines.map(line => (
        <Text key={line} textStyle="dense" color="fg.muted" overflowWrap="anywhere">
          {line}
        </Text>
      ))}
    </Box>
  </HStack>
)

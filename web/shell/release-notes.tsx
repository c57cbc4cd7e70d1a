import { Box, chakra, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { Check, type LucideIcon, Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { AnchoredPopover } from '#web/components/anchored-popover.tsx'
import { IconButton } from '#web/components/hint.tsx'
import type { ReleaseNote } from './release-note.ts'

const linesOf = (text: string | null | undefined) =>
  (text ?? '')
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)

const Part = ({ icon: Glyph, title, lines }: { icon: LucideIcon; title: string; lines: readonly string[] }) => (
  <Box>
    <HStack gap="2" color="fg.muted" mb="1.5">
      <Glyph size={14} aria-hidden="true" />
      <Text as="h3" textStyle="label">
        {title}
      </Text>
    </HStack>
    <chakra.ul listStyleType="none" display="grid" gap="1">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line may occur twice, and the list is never reordered
        <chakra.li key={at} textStyle="dense" overflowWrap="anywhere">
          {line}
        </chakra.li>
      ))}
    </chakra.ul>
    {lines.length === 0 ? (
      <Text textStyle="dense" color="fg.subtle">
        –
      </Text>
    ) : null}
  </Box>
)

interface Props {
  readonly anchor: HTMLElement | null
  readonly note: ReleaseNote
  readonly label: string
  onClose(): void
}

/** Improvements and fixes of the latest version. */
export const ReleaseNotes = ({ anchor, note, label, onClose }: Props) => {
  const { t } = useTranslation('shell')
  return (
    <AnchoredPopover
      anchor={anchor}
      onClose={onClose}
      role="dialog"
      aria-label={t('release.title')}
      w="560px"
      minW="min(500px, calc(100vw - 16px))"
    >
      <HStack px="5" pt="3" pb="2">
        <Text as="h2" textStyle="title">
          {label}
        </Text>
        <Text textStyle="secondary" color="fg.muted" flex="1" minW="0" truncate>
          {note.name}
        </Text>
        <IconButton icon={X} label={t('close')} onClick={onClose} />
      </HStack>
      {note.major === undefined ? (
        <Text px="5" pb="5" textStyle="dense" color="fg.muted">
          {t('release.none')}
        </Text>
      ) : (
        <SimpleGrid columns={{ base: 1, md: 2 }} gap="5" px="5" pb="5" maxH="300px" overflow="auto" tabIndex={0}>
          <Part icon={Plus} title={t('release.improved')} lines={linesOf(note.improvement)} />
          <Part icon={Check} title={t('release.fixed')} lines={linesOf(note.bugfix)} />
        </SimpleGrid>
      )}
    </AnchoredPopover>
  )
}

import { Box, chakra, HStack, Input, Text } from '@chakra-ui/react'
import { ChartColumn, FileQuestionMark } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { folded } from '#schemas/fold-text.ts'
import type { ReportEntry } from './report-query.ts'

/** Minimum report count for a search field. */
const SEARCH_FROM = 8

/** Reports by the group that grants them; by the first one of several groups. */
const groupsOf = (reports: readonly ReportEntry[]): readonly (readonly [string, readonly ReportEntry[]])[] =>
  [...Map.groupBy(reports, ({ groups }) => groups[0] ?? '')].sort(([one], [other]) =>
    one === '' ? 1 : other === '' ? -1 : one.localeCompare(other),
  )

interface Props {
  readonly reports: readonly ReportEntry[]
  readonly chosen: string | undefined
  onChoose(id: string): void
}

interface EntryProps {
  readonly entry: ReportEntry
  readonly isChosen: boolean
  onChoose(): void
}

const Entry = ({ entry: { name, type }, isChosen, onChoose }: EntryProps) => {
  const Glyph = type === 'dashboard' ? ChartColumn : FileQuestionMark
  return (
    <chakra.button
      type="button"
      onClick={onChoose}
      {...(isChosen ? { 'aria-current': 'true' as const } : {})}
      display="flex"
      alignItems="center"
      gap="2.5"
      w="100%"
      minH={{ base: '11', md: '8' }}
      px="2"
      borderRadius="md"
      fontSize="sm"
      textAlign="start"
      cursor="pointer"
      color={isChosen ? 'accent.fg' : 'fg.muted'}
      fontWeight={isChosen ? 'semibold' : 'normal'}
      bg={isChosen ? 'accent.subtle' : 'transparent'}
      _hover={{ bg: isChosen ? 'accent.subtle' : 'bg.subtle', color: isChosen ? 'accent.fg' : 'fg' }}
      focusVisibleRing="inside"
    >
      <HStack as="span" flex="none">
        <Glyph size={16} strokeWidth={1.75} aria-hidden="true" />
      </HStack>
      <chakra.span minW="0" overflowWrap="anywhere">
        {name}
      </chakra.span>
    </chakra.button>
  )
}

/** Reports the user may see, for selection. */
export const ReportList = ({ reports, chosen, onChoose }: Props) => {
  const { t } = useTranslation('tool')
  const [typed, setTyped] = useState('')
  const wanted = folded(typed.trim())
  const groups = groupsOf(reports.filter(({ name }) => folded(name).includes(wanted)))
  return (
    <chakra.nav aria-label={t('reports.list')} minW="0">
      {reports.length < SEARCH_FROM ? null : (
        <Input
          type="search"
          value={typed}
          placeholder={t('reports.search')}
          aria-label={t('reports.search')}
          onChange={event => setTyped(event.target.value)}
          mb="2"
        />
      )}
      {groups.map(([group, entries]) => (
        <Box key={group} mb="2">
          {groups.length === 1 && group === '' ? null : (
            <Text px="2" pt="2" pb="1" fontSize="2xs" fontWeight="semibold" color="fg.subtle" truncate>
              {group === '' ? t('reports.ungrouped') : group}
            </Text>
          )}
          {entries.map(entry => (
            <Entry key={entry.id} entry={entry} isChosen={entry.id === chosen} onChoose={() => onChoose(entry.id)} />
          ))}
        </Box>
      ))}
      {groups.length === 0 ? (
        <Text px="2" py="3" textStyle="dense" color="fg.muted" role="status">
          {t('reports.nothing')}
        </Text>
      ) : null}
    </chakra.nav>
  )
}

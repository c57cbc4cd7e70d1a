import { Box, Button, chakra, HStack, Input, Text } from '@chakra-ui/react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { faultColumn, REPEATED } from './read-rows.ts'
import type { UploadFault, UploadMapping } from './use-contact-file.ts'

/** Lines with the same fault in the same column. */
interface Alike {
  readonly key: string
  readonly message: string
  readonly column: number | undefined
  readonly isPhone: boolean
  readonly lines: ReadonlySet<number>
}

const alikeOf = (faults: readonly UploadFault[], taking: UploadMapping): readonly Alike[] =>
  [...Map.groupBy(faults, fault => `${fault.code} ${faultColumn(fault, taking) ?? ''}`)]
    .map(([key, group]) => {
      const [first] = group
      const column = first === undefined ? undefined : faultColumn(first, taking)
      return {
        key,
        message: first?.message ?? '',
        column,
        isPhone: column !== undefined && taking.targets[column] === 'phone',
        lines: new Set(group.map(({ line }) => line)),
      }
    })
    .toSorted((one, other) => other.lines.size - one.lines.size)

interface BarProps {
  readonly faults: readonly UploadFault[]
  readonly taking: UploadMapping
  /** More lines have faults than listed. */
  readonly hasMore: boolean
  onLeave(lines: ReadonlySet<number>): void
  onPrefix(lines: ReadonlySet<number>, column: number, prefix: string): void
}

const Prefix = ({ alike, onPrefix }: { readonly alike: Alike; onPrefix: BarProps['onPrefix'] }) => {
  const { t } = useTranslation('contact')
  const [prefix, setPrefix] = useState('')
  const { column, lines } = alike
  if (!alike.isPhone || column === undefined) return null
  return (
    <chakra.form
      display="inline-flex"
      gap="1.5"
      onSubmit={event => {
        event.preventDefault()
        if (/^\+?\d{1,6}$/u.test(prefix)) onPrefix(lines, column, prefix)
      }}
    >
      <Input
        size="xs"
        w="64px"
        inputMode="tel"
        maxLength={7}
        placeholder="12"
        aria-label={t('map.prefix')}
        value={prefix}
        onChange={event => setPrefix(event.target.value)}
      />
      <Button size="xs" type="submit" disabled={!/^\+?\d{1,6}$/u.test(prefix)}>
        {t('map.putbefore')}
      </Button>
    </chakra.form>
  )
}

/** Groups of equal faults, to correct or leave out together. */
export const GroupedErrorsBar = ({ faults, taking, hasMore, onLeave, onPrefix }: BarProps) => {
  const { t } = useTranslation('contact')
  const refused = faults.filter(({ code }) => code !== REPEATED)
  if (refused.length === 0) return null
  return (
    <Box as="section" aria-label={t('map.alike')} px="4" py="3" borderTopWidth="1px" textStyle="dense">
      <Text textStyle="card">{t('map.alike')}</Text>
      <Box as="ul" listStyleType="none" display="grid" gap="2" mt="1.5">
        {alikeOf(refused, taking).map(alike => (
          <HStack as="li" key={alike.key} gap="2.5" flexWrap="wrap" rowGap="1">
            <b>{alike.lines.size}</b>
            <Text color="fg.muted" flex="1 1 180px">
              {alike.message}
            </Text>
            <Prefix alike={alike} onPrefix={onPrefix} />
            <Button size="xs" onClick={() => onLeave(alike.lines)}>
              {t('map.leaveout', { count: alike.lines.size })}
            </Button>
          </HStack>
        ))}
      </Box>
      {hasMore ? (
        <Text textStyle="secondary" color="fg.muted" mt="1.5">
          {t('map.firstfaults', { count: new Set(faults.map(({ line }) => line)).size })}
        </Text>
      ) : null}
    </Box>
  )
}

import { Box, chakra, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Json } from '#schemas/event.ts'
import { jsonEqual } from '#schemas/json.ts'
import { Changed } from './failure-body.tsx'
import type { Column } from './test-matrix.tsx'
import { type Outcome, runQuery } from './test-query.ts'

interface ValuesProps {
  readonly bot: string
  readonly test: string
  readonly outcome: Outcome | undefined
  /** The oldest first. */
  readonly columns: readonly Column[]
}

const shown = (value: Json | undefined): string => (value === undefined ? '–' : JSON.stringify(value))

/** The newest moment at which a test held. */
const heldAt = (columns: readonly Column[], test: string): Column['moment'] | undefined =>
  columns.findLast(({ outcomes }) => outcomes?.get(test)?.passed === true)?.moment

/** Variables at the end of the test, and those of its last passing run. */
export const TestValues = ({ bot, test, outcome, columns }: ValuesProps) => {
  const { t } = useTranslation('conversationtest')
  const moment = outcome?.passed === false ? heldAt(columns, test) : undefined
  const asked = { at: (moment?.at ?? 'draft') as 'draft', tests: [test] }
  const passed = useQuery({ ...runQuery(bot, asked), enabled: moment !== undefined })
  const now = outcome?.values ?? {}
  const before = moment === undefined ? undefined : passed.data?.outcomes[0]?.values
  const names = [...new Set([...Object.keys(now), ...Object.keys(before ?? {})])].sort()
  const isOther = (name: string) => before !== undefined && !jsonEqual(now[name] ?? null, before[name] ?? null)
  const others = names.filter(isOther)
  if (names.length === 0)
    return (
      <Text textStyle="dense" color="fg.muted">
        {t('novalues')}
      </Text>
    )
  return (
    <>
      {others.length === 0 ? null : (
        <Box as="section" aria-label={t('othervalues')} mb="4">
          <Text textStyle="secondary" color="fg.muted" mb="1.5">
            {t('othervalues')}
          </Text>
          <Box display="grid" gap="2" gridTemplateColumns="repeat(auto-fill, minmax(180px, 1fr))">
            {others.map(name => (
              <Changed key={name} name={name} expected={shown(before?.[name])} came={shown(now[name])} />
            ))}
          </Box>
        </Box>
      )}
      <chakra.dl borderWidth="1px" borderRadius="lg" bg="bg.surface" overflow="hidden">
        {names
          .filter(name => !isOther(name))
          .map(name => (
            <Box
              key={name}
              display="grid"
              gridTemplateColumns="minmax(0, 2fr) minmax(0, 3fr)"
              gap="3"
              px="3"
              py="2"
              textStyle="dense"
              css={{ '&:not(:first-of-type)': { borderTopWidth: '1px' } }}
            >
              <chakra.dt fontFamily="mono" color="fg.muted" overflowWrap="anywhere">
                {name}
              </chakra.dt>
              <chakra.dd fontFamily="mono" overflowWrap="anywhere">
                {shown(now[name])}
              </chakra.dd>
            </Box>
          ))}
      </chakra.dl>
    </>
  )
}

import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { Chip } from '#web/components/chip.tsx'
import { countOf, LOOKS, PARTS, type PreviewedFlow } from './version-query.ts'

const FlowLine = ({ flow, most }: { flow: PreviewedFlow; most: number }) => {
  const { t } = useTranslation('shell')
  const look = LOOKS[flow.state]
  return (
    <chakra.tr css={{ '&:not(:last-child) > td': { borderBottomWidth: '1px' } }}>
      <chakra.td px="4" h="40px" fontSize="sm" fontWeight="semibold">
        {flow.name}
      </chakra.td>
      <chakra.td px="3">
        <HStack gap="1" py="1" flexWrap="wrap">
          <Chip tone={look.tone}>
            {look.sign} {t(`version.state.${flow.state}`)}
          </Chip>
          {flow.publishes === true ? <Chip tone="accent">{t('version.publishes')}</Chip> : null}
        </HStack>
      </chakra.td>
      <chakra.td px="3" fontSize="sm" whiteSpace="nowrap">
        <HStack gap="2.5" fontWeight="semibold">
          {PARTS.map(part =>
            countOf(flow, part) > 0 ? (
              <Text as="span" key={part} color={`${LOOKS[part].palette}.fg`}>
                {LOOKS[part].sign}
                {countOf(flow, part)}
              </Text>
            ) : null,
          )}
        </HStack>
      </chakra.td>
      <chakra.td px="3" w="30%">
        <HStack gap="1px" h="8px" borderRadius="2px" overflow="hidden" aria-hidden="true">
          {PARTS.map(part => (
            <Box
              key={part}
              h="100%"
              bg={`${LOOKS[part].palette}.solid`}
              {...(part === 'changed'
                ? {
                    backgroundImage:
                      'repeating-linear-gradient(135deg, {colors.diff.changed.solid} 0 4px, {colors.diff.changed.emphasized} 4px 8px)',
                  }
                : {})}
              style={{ width: `${(countOf(flow, part) / most) * 100}%` }}
            />
          ))}
        </HStack>
      </chakra.td>
    </chakra.tr>
  )
}

/** Flows that change, and by how much. */
export const FlowTable = ({ flows }: { readonly flows: readonly PreviewedFlow[] }) => {
  const { t } = useTranslation('shell')
  const most = Math.max(1, ...flows.map(flow => PARTS.reduce((sum, part) => sum + countOf(flow, part), 0)))
  return (
    <Box bg="bg.surface" borderWidth="1px" borderRadius="lg" overflowX="auto" mb="4">
      <chakra.table w="100%" borderCollapse="separate" borderSpacing="0">
        <chakra.thead bg="bg">
          <tr>
            {['flow', 'happens', 'blocks', 'size'].map(key => (
              <chakra.th
                key={key}
                scope="col"
                h="34px"
                px={key === 'flow' ? '4' : '3'}
                textAlign="start"
                textStyle="label"
                color="fg.muted"
                borderBottomWidth="1px"
              >
                {t(`version.column.${key}`)}
              </chakra.th>
            ))}
          </tr>
        </chakra.thead>
        <tbody>
          {flows.map(flow => (
            <FlowLine key={`${flow.entity}-${flow.id}`} flow={flow} most={most} />
          ))}
          {flows.length === 0 ? (
            <tr>
              <chakra.td colSpan={4} px="4" h="44px" fontSize="sm" color="fg.muted">
                {t('version.nodifference')}
              </chakra.td>
            </tr>
          ) : null}
        </tbody>
      </chakra.table>
    </Box>
  )
}

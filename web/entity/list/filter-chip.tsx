import { Box, chakra, Text } from '@chakra-ui/react'
import { skipToken, useQueries } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { Fragment } from 'react'
import { http } from '#web/api/http.ts'
import { highlight } from '#web/theme/highlight.ts'
import { ChipFrame } from './chip-frame.tsx'

type Params = Readonly<Record<string, string>>

interface Count {
  readonly entity: string
  readonly params: Params
  readonly field: string
}

interface FilterOption {
  readonly value: string
  readonly label: string
  /** Title above the first option of a group. */
  readonly group?: string
}

interface Props {
  readonly title: string
  readonly value: string | undefined
  readonly options: readonly FilterOption[]
  /** List in which to count what each option would leave. */
  readonly count?: Count
  readonly isOpenAtFirst?: boolean
  readonly onClose?: () => void
  onChange(value: string | undefined): void
}

const countOf = async ({ entity, params, field }: Count, value: string): Promise<number> => {
  const query = { ...params, [field]: value, size: 1 }
  return (await http.get('/{entity}', { params: { entity }, query })).total
}

const Options = ({
  options,
  value,
  count,
  onChoose,
}: Pick<Props, 'options' | 'value' | 'count'> & { onChoose: (value: string) => void }) => {
  const counts = useQueries({
    queries: options.map(option => ({
      queryKey: ['count', count?.entity, count?.params, count?.field, option.value],
      queryFn: count === undefined ? skipToken : () => countOf(count, option.value),
    })),
  })
  return options.map((option, at) => (
    <Fragment key={option.value}>
      {option.group === undefined || option.group === options[at - 1]?.group ? null : (
        <Text px="2" pt={at === 0 ? '1' : '3'} pb="1" textStyle="label" color="fg.muted" role="presentation">
          {option.group}
        </Text>
      )}
      <chakra.button
        type="button"
        role="menuitemradio"
        aria-checked={option.value === value}
        onClick={() => onChoose(option.value)}
        display="flex"
        alignItems="center"
        gap="2.5"
        w="100%"
        minH={{ base: '11', md: '8' }}
        px="2"
        borderRadius="sm"
        fontSize="sm"
        textAlign="start"
        cursor="pointer"
        _hover={{ bg: 'bg.muted' }}
        _focusVisible={highlight}
      >
        <Box boxSize="4" color="accent.fg">
          {option.value === value ? <Check size={16} aria-hidden="true" /> : null}
        </Box>
        <Text as="span" flex="1">
          {option.label}
        </Text>
        <Text as="span" textStyle="secondary" color="fg.subtle" fontVariantNumeric="tabular-nums">
          {counts[at]?.data}
        </Text>
      </chakra.button>
    </Fragment>
  ))
}

/** A filter with a few values of which one holds. */
export const FilterChip = ({ title, value, options, count, isOpenAtFirst, onClose, onChange }: Props) => (
  <ChipFrame
    title={title}
    value={options.find(option => option.value === value)?.label}
    popup="menu"
    {...(isOpenAtFirst === undefined ? {} : { isOpenAtFirst })}
    {...(onClose === undefined ? {} : { onClose })}
    onRemove={() => onChange(undefined)}
  >
    {close => (
      <Box role="menu" aria-label={title}>
        <Options
          options={options}
          value={value}
          {...(count ? { count } : {})}
          onChoose={next => {
            onChange(next === value ? undefined : next)
            close()
          }}
        />
      </Box>
    )}
  </ChipFrame>
)

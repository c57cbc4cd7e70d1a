import { Box, Text } from '@chakra-ui/react'
import { skipToken, useQueries } from '@tanstack/react-query'
import { Fragment } from 'react'
import { http } from '#web/api/http.ts'
import { ChipFrame, ChoiceButton } from './chip-frame.tsx'

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
      <ChoiceButton
        role="menuitemradio"
        aria-checked={option.value === value}
        isChosen={option.value === value}
        onClick={() => onChoose(option.value)}
      >
        <Text as="span" flex="1">
          {option.label}
        </Text>
        <Text as="span" textStyle="secondary" color="fg.subtle" fontVariantNumeric="tabular-nums">
          {counts[at]?.data}
        </Text>
      </ChoiceButton>
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

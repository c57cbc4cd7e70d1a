import { chakra } from '@chakra-ui/react'
import { Plus, Variable } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { folded } from '#schemas/fold-text.ts'
import { OptionRow } from '#web/components/option-row.tsx'
import { useNames } from '../session/flow-names.ts'

/** Option that declares a new variable: no variable has this name. */
export const NEW = ''

/** The names that what was typed may mean, those that begin with it first. */
export const matchingNames = (names: readonly string[], typed: string): readonly string[] => {
  const wanted = folded(typed.trim())
  return names
    .filter(name => folded(name).includes(wanted))
    .sort((a, b) => Number(folded(b).startsWith(wanted)) - Number(folded(a).startsWith(wanted)))
}

interface VariableOptionsProps {
  readonly id: string
  readonly options: readonly string[]
  readonly active: number
  /** Of the variable that {@link NEW} would declare. */
  readonly wish: string
  /** Shown beside an option instead of the data type of its variable. */
  readonly details?: ReadonlyMap<string, string>
  readonly onPoint: (index: number) => void
  readonly onChoose: (option: string) => void
}

/** A name and its data type are read in this, however narrow the field is. CSS pixels. */
const WIDTH = 240
const MARGIN = 8

/** A list wider than its field stays inside its page region. */
const fit = (list: HTMLElement | null) => {
  const room = list?.closest('[data-region]')?.getBoundingClientRect()
  if (list == null || room === undefined) return
  const { left, right } = list.getBoundingClientRect()
  const over = right - (room.right - MARGIN)
  if (over > 0) list.style.left = `${-Math.min(over, left - room.left - MARGIN)}px`
  list.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** In place of the list where the bot has no variable yet. */
export const NoVariables = ({ may }: { readonly may: boolean }) => {
  const { t } = useTranslation('designer')
  return (
    <chakra.p
      role="status"
      position="absolute"
      zIndex="popover"
      top="calc(100% + 4px)"
      left="0"
      w="100%"
      px="3"
      py="2"
      fontSize="sm"
      color="fg.muted"
      bg="bg.raised"
      borderWidth="1px"
      borderRadius="lg"
      boxShadow="raised"
    >
      {t(may ? 'uses.nameNew' : 'uses.noVariables')}
    </chakra.p>
  )
}

/** Variables to choose among, under what is being typed. */
export const VariableOptions = ({ id, options, active, wish, details, onPoint, onChoose }: VariableOptionsProps) => {
  const { t } = useTranslation('designer')
  const { variables } = useNames()
  const typeWords = (datatype: string | undefined) =>
    datatype === undefined ? '' : t(`try.type.${datatype}`, { defaultValue: datatype })
  return (
    <chakra.div
      ref={fit}
      id={id}
      role="listbox"
      // Without it Tab focuses the scrolling list, which then closes.
      tabIndex={-1}
      aria-label={t('uses.of.variable')}
      position="absolute"
      zIndex="popover"
      top="calc(100% + 4px)"
      left="0"
      w={`max(100%, ${WIDTH}px)`}
      maxH="232px"
      overflowY="auto"
      py="1.5"
      bg="bg.raised"
      borderWidth="1px"
      borderRadius="lg"
      boxShadow="raised"
    >
      {options.map((option, index) => (
        <OptionRow
          key={option}
          list={id}
          index={index}
          active={active}
          onPoint={onPoint}
          onChoose={() => onChoose(option)}
        >
          {option === NEW ? (
            <>
              <Plus size={14} aria-hidden />
              <chakra.span flex="1" overflowWrap="anywhere">
                {t('uses.create', { name: wish })}
              </chakra.span>
            </>
          ) : (
            <>
              <Variable size={14} aria-hidden />
              <chakra.span flex="1" truncate title={option}>
                {option}
              </chakra.span>
              <chakra.span fontSize="xs" color="fg.muted" maxW="50%" truncate>
                {details?.get(option) ?? typeWords(variables?.find(({ name }) => name === option)?.datatype)}
              </chakra.span>
            </>
          )}
        </OptionRow>
      ))}
    </chakra.div>
  )
}

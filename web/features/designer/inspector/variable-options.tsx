import { chakra } from '@chakra-ui/react'
import { Plus, Variable } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNames } from '../live/names-context.ts'

/** What is chosen to declare a new variable: no variable has this name. */
export const NEW = ''

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

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
  readonly onPoint: (index: number) => void
  readonly onChoose: (option: string) => void
}

/** Variables to choose among, under what is being typed. */
export const VariableOptions = ({ id, options, active, wish, onPoint, onChoose }: VariableOptionsProps) => {
  const { t } = useTranslation('designer')
  const { variables } = useNames()
  return (
    <chakra.div
      id={id}
      role="listbox"
      aria-label={t('uses.of.variable')}
      position="absolute"
      zIndex="popover"
      top="calc(100% + 4px)"
      insetX="0"
      maxH="232px"
      overflowY="auto"
      py="1.5"
      bg="bg.raised"
      borderWidth="1px"
      borderRadius="lg"
      boxShadow="raised"
    >
      {options.map((option, index) => (
        <div
          key={option}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className="pl-choice"
          data-active={index === active || undefined}
          ref={index === active ? row => row?.scrollIntoView({ block: 'nearest' }) : undefined}
          onPointerMove={() => onPoint(index)}
          onPointerDown={event => {
            event.preventDefault()
            onChoose(option)
          }}
        >
          {option === NEW ? <Plus size={14} aria-hidden /> : <Variable size={14} aria-hidden />}
          <chakra.span flex="1" truncate>
            {option === NEW ? t('uses.create', { name: wish }) : option}
          </chakra.span>
          <chakra.span fontSize="xs" color="fg.muted">
            {variables?.find(({ name }) => name === option)?.datatype}
          </chakra.span>
        </div>
      ))}
    </chakra.div>
  )
}

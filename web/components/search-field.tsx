import { Input, InputGroup, type InputGroupProps, type InputProps } from '@chakra-ui/react'
import { Search } from 'lucide-react'

interface Props extends Omit<InputGroupProps, 'children' | 'onChange'> {
  readonly label: string
  readonly value: string
  readonly input?: InputProps
  onChange(value: string): void
}

/** A field for words that are looked for. */
export const SearchField = ({ label, value, input, onChange, ...props }: Props) => (
  <InputGroup startElement={<Search size={15} aria-hidden="true" />} {...props}>
    <Input
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={event => onChange(event.target.value)}
      {...input}
    />
  </InputGroup>
)

import type { Store } from '../../model/store.ts'

/** Tells when the veil goes up and down: it is up while the view hurries, unless the pointer itself drags it. */
export const followHurry = (hurrying: Store<boolean>, isDragged: () => boolean, tell: (isUp: boolean) => void) =>
  hurrying.subscribe(() => tell(hurrying.get() && !isDragged()))

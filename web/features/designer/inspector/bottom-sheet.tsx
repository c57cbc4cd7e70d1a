export const BottomSheet = () => null

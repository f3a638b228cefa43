//! Why can any plan be cloned and printed? Its operator is only a type: `derive` would ask that of the operator too.

/// `Clone` and `Debug` for a plan whose type parameters stand for meanings, not values.
macro_rules! plan_traits {
    ($plan:ident<$($parameter:ident: $bound:path),+> { $($field:ident),+ }) => {
        impl<$($parameter: $bound),+> Clone for $plan<$($parameter),+> {
            fn clone(&self) -> Self {
                Self { $($field: self.$field.clone()),+ }
            }
        }

        impl<$($parameter: $bound),+> std::fmt::Debug for $plan<$($parameter),+> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(std::any::type_name::<Self>())
            }
        }
    };
}
